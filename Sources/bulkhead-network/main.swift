import NetworkRuntime

NetworkMain.run()
