/**
 * Adds `ArrayBuffer.prototype.transferToFixedLength` (ES2024), which pdf.js needs to list drawing operations and
 * Node.js 20 lacks. Unlike the standard method, it copies the buffer and does not detach it. pdf.js drops the original.
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
