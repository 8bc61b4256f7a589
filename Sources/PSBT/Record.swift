extension PSBT {
    /// One key with its value, as they stand in the file.
    ///
    /// Both are slices of the bytes that were parsed: nothing is copied.
    public struct Record: Hashable, Sendable {
        /// Type and key data.
        public let key: ArraySlice<UInt8>
        /// The value.
        public let value: ArraySlice<UInt8>

        init(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
            self.key = key
            self.value = value
        }

        /// A record of one of the types that take one byte, which all known types are.
        init(_ field: some Field, keyData: some Collection<UInt8> = [], value: [UInt8]) {
            key = ([field.rawValue] + keyData)[...]
            self.value = value[...]
        }

        /// The type, where it takes one byte; nil for higher types, none of which is defined.
        public var type: UInt8? {
            guard let first = key.first, first < 0xFD else { return nil }
            return first
        }

        /// What follows the type, where that takes one byte.
        public var keyData: ArraySlice<UInt8> { key.dropFirst() }
    }
}
