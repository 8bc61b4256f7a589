import ConsoleRuntime

// What a person types: `bulkhead` alone opens the console.
CommandLineTool.run(Array(CommandLine.arguments.dropFirst()))
