/** What Workers have beside the web's globals: a write is over once its bytes were copied to the reader. */
class CopyingStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor() {
    super({ transform: (chunk, controller) => controller.enqueue(chunk.slice()) });
  }
}

Object.assign(globalThis, { IdentityTransformStream: CopyingStream });
