import Messages
import SecretMemory
import StateFiles
import Vault

/// The keys of this machine that an operation was given.
struct WorkKeys: ~Copyable {
    /// From `device.key`; nil where there is none.
    private let device: DeviceKey?
    /// From `index.key`; nil where there is none or the operation needs none.
    private let index: IndexKey?
    /// What makes the new ones among them files of the state.
    let changes: [StateChange]

    private init(
        device: consuming DeviceKey?, index: consuming IndexKey?, changes: [StateChange]
    ) {
        self.device = device
        self.index = index
        self.changes = changes
    }

    /// Reads the keys that are there and makes those that are to be made.
    ///
    /// - Throws: `unsafeKey`.
    static func read(
        _ order: WorkOrder, _ ports: any WorkPorts
    ) throws(VaultRefusal) -> WorkKeys {
        let device = try bytes(order.deviceKey, .deviceKey, ports)
        let index = try bytes(order.indexKey, .indexKey, ports)
        var changes: [StateChange] = []
        if order.deviceKey == .new { changes.append(.adopt(.deviceKey)) }
        if order.indexKey == .new { changes.append(.adopt(.indexKey)) }
        return WorkKeys(
            device: try deviceKey(device), index: try indexKey(index), changes: changes)
    }

    private static func bytes(
        _ key: WorkOrder.Key, _ file: StateFile, _ ports: any WorkPorts
    ) throws(VaultRefusal) -> SecretBytes? {
        do throws(PortFailure) {
            switch key {
            case .absent: return nil
            case .present:
                return file == .deviceKey ? try ports.readDeviceKey() : try ports.readIndexKey()
            case .new:
                let fresh = SecretBytes.random(count: file.limit)
                try ports.writeNewKey(file, fresh)
                return fresh
            }
        } catch {
            throw .unsafeKey(file, error.reason)
        }
    }

    private static func deviceKey(
        _ bytes: consuming SecretBytes?
    ) throws(VaultRefusal) -> DeviceKey? {
        guard let bytes else { return nil }
        do throws(VaultError) {
            return try DeviceKey(bytes)
        } catch {
            throw .unsafeKey(.deviceKey, error.description)
        }
    }

    private static func indexKey(
        _ bytes: consuming SecretBytes?
    ) throws(VaultRefusal) -> IndexKey? {
        guard let bytes else { return nil }
        do throws(VaultError) {
            return try IndexKey(bytes)
        } catch {
            throw .unsafeKey(.indexKey, error.description)
        }
    }

    /// Lends the device key.
    ///
    /// - Throws: `missing`, and what `body` throws.
    borrowing func withDevice<Result: ~Copyable>(
        _ body: (borrowing DeviceKey) throws(VaultRefusal) -> Result
    ) throws(VaultRefusal) -> Result {
        switch device {
        case .some(let key): return try body(key)
        case .none: throw .missing(.deviceKey)
        }
    }

    /// Lends the index key.
    ///
    /// - Throws: `missing`, and what `body` throws.
    borrowing func withIndex<Result: ~Copyable>(
        _ body: (borrowing IndexKey) throws(VaultRefusal) -> Result
    ) throws(VaultRefusal) -> Result {
        switch index {
        case .some(let key): return try body(key)
        case .none: throw .missing(.indexKey)
        }
    }
}
