public import Messages

/// What happens inside a worker: an order and its ports go in, a result comes out.
public enum SignerWork {
    /// Does one stage of an operation.
    public static func perform(_ order: WorkOrder, through ports: any WorkPorts) -> VaultResult {
        .refused(.workerFailed("this version cannot do that yet"), [])
    }
}
