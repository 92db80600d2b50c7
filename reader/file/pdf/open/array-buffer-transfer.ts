/**
 * Adds `ArrayBuffer.prototype.transferToFixedLength` (ES2024), which pdf.js needs to list drawing operations and
 * Node.js 20 lacks. Unlike the standard, this copies and does not detach; pdf.js drops the source.
 */
if (!('transferToFixedLength' in ArrayBuffer.prototype)) {
  Object.defineProperty(ArrayBuffer.prototype, 'transferToFixedLength', {
    value(this: ArrayBuffer, length = this.byteLength): ArrayBuffer {
      const copy = new Uint8Array(length);
      copy.set(new Uint8Array(this, 0, Math.min(length, this.byteLength)));
      return copy.buffer;
    },
    configurable: true,
    writable: true,
  });
}
