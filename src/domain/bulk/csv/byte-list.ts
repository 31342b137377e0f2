/** Frees the arrays' memory at once and leaves them empty; the garbage collector would free it seconds later. */
export function release(...arrays: readonly { readonly buffer: ArrayBuffer }[]): void {
  for (const { buffer } of arrays) buffer.transfer(0);
}

/** Byte strings stored end to end and found by number. */
export class ByteList {
  size = 0;
  private bytes = new Uint8Array(2 ** 16);
  /** Where each begins, and where the next one will. */
  private starts = new Uint32Array(2 ** 12);

  /** Bytes of all of them. */
  get byteLength(): number {
    return this.starts[this.size] ?? 0;
  }

  length(number: number): number {
    return (this.starts[number + 1] ?? 0) - (this.starts[number] ?? 0);
  }

  /** Copies a string to `target` at `at`. Returns where it ends there. */
  copy(number: number, target: Uint8Array, at: number): number {
    const start = this.starts[number] ?? 0;
    const length = this.length(number);
    for (let i = 0; i < length; i += 1) target[at + i] = this.bytes[start + i] ?? 0;
    return at + length;
  }

  /** Adds `bytes` up to `to`. */
  push(bytes: Uint8Array, to: number): void {
    const start = this.byteLength;
    const end = start + to;
    if (end > this.bytes.length) this.bytes = new Uint8Array(this.bytes.buffer.transfer(2 * end));
    for (let i = 0; i < to; i += 1) this.bytes[start + i] = bytes[i] ?? 0;
    this.size += 1;
    if (this.size === this.starts.length) {
      this.starts = new Uint32Array(this.starts.buffer.transfer(2 * this.starts.byteLength));
    }
    this.starts[this.size] = end;
  }

  /** Removes the first `count` strings; the others move up. */
  drop(count: number): void {
    const dropped = this.starts[count] ?? 0;
    this.bytes.copyWithin(0, dropped, this.byteLength);
    this.starts.copyWithin(0, count, this.size + 1);
    this.size -= count;
    for (let number = 0; number <= this.size; number += 1) this.starts[number] = (this.starts[number] ?? 0) - dropped;
  }

  release(): void {
    release(this.bytes, this.starts);
  }
}
