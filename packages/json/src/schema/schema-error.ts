/** A value is not of its shape. The message says where and why, and is safe to show to whoever sent the value. */
export class ShapeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ShapeError';
  }
}

/** Builds the error of the value at a path; the empty path is the whole value. */
export function shapeError(path: string, fault: string): ShapeError {
  return new ShapeError(`${path === '' ? 'it' : path} ${fault}`);
}
