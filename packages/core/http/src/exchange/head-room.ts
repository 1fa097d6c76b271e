/** The longest head that is written before a body, in its memory. Most heads have some 350 bytes. */
const headRoomBytes = 512;

/** The memory of a body, with the room before it. */
const memory = Symbol('memory');
type BodyWithRoom = Uint8Array & { [memory]?: Buffer | undefined };

/** Allocates a body with room for a head before it: head and body as one buffer are sent in three quarters of the time. */
export function allocateBody(length: number): Buffer {
  const whole = Buffer.allocUnsafe(headRoomBytes + length);
  const body: Buffer & BodyWithRoom = whole.subarray(headRoomBytes);
  body[memory] = whole;
  return body;
}

/**
 * Writes a head before a body. Undefined where it has no room. The bytes must be sent before the body gets another head,
 * or `closeRoom` called.
 *
 * @param head in Latin-1
 */
export function withHead(head: string, { [memory]: whole }: BodyWithRoom): Buffer | undefined {
  const start = headRoomBytes - head.length;
  if (whole === undefined || start < 0) {
    return undefined;
  }
  whole.write(head, start, 'latin1');
  return whole.subarray(start);
}

/** Leaves the head of a body as it is from now on. */
export function closeRoom(body: BodyWithRoom): void {
  body[memory] = undefined;
}
