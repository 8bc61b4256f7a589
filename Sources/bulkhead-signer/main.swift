import SignerRuntime

SignerProcess.run()
