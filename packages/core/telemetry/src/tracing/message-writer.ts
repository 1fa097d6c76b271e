/** Wire types. Protocol Buffers, "Encoding". */
const varint = 0;
const fixed64 = 1;
const delimited = 2;
const fixed32 = 5;

/**
 * Writes messages in the wire format of Protocol Buffers, one field after another, into memory that is reused
 * for the next message. `begin` and `end` enclose a nested message.
 */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(65_536);
  #length = 0;

  /** A copy of the written bytes; the writer starts anew. */
  finish(): Buffer {
    const written = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return written;
  }

  /** Begins a message; returns what `end` needs. */
  begin(field: number): number {
    this.#room(12);
    this.#tag(field, delimited);
    this.#length += 1;
    return this.#length;
  }

  /**
   * Ends the message, whose length is now known. Most are shorter than 128 bytes, so one byte is reserved for the
   * length.
   */
  end(start: number): void {
    const length = this.#length - start;
    const more = varintLength(length) - 1;
    if (more > 0) {
      this.#room(more);
      this.#bytes.copyWithin(start + more, start, this.#length);
    }
    this.#length = start - 1;
    this.#varint(length);
    this.#length += length;
  }

  text(field: number, text: string): void {
    const start = this.begin(field);
    // In UTF-8, no unit of UTF-16 takes more than three bytes.
    this.#room(text.length * 3);
    this.#length += this.#ascii(text) ? text.length : this.#bytes.write(text, this.#length);
    this.end(start);
  }

  /** Bytes, from hexadecimal digits. */
  hex(field: number, digits: string): void {
    const start = this.begin(field);
    this.#room(digits.length);
    this.#length += this.#bytes.write(digits, this.#length, 'hex');
    this.end(start);
  }

  /** A whole number from 0 up that a double holds exactly, or a truth value. */
  integer(field: number, value: number | boolean): void {
    this.#room(20);
    this.#tag(field, varint);
    this.#varint(Number(value));
  }

  double(field: number, value: number): void {
    this.#room(20);
    this.#tag(field, fixed64);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  fixed32(field: number, value: number): void {
    this.#room(20);
    this.#tag(field, fixed32);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
  }

  /** A whole number from 0 up with more bits than a double holds, as two halves of 32 bits. */
  fixed64(field: number, high: number, low: number): void {
    this.#room(20);
    this.#tag(field, fixed64);
    this.#length = this.#bytes.writeUInt32LE(low, this.#length);
    this.#length = this.#bytes.writeUInt32LE(high, this.#length);
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length] = (rest % 128) + 128;
      this.#length += 1;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  /** Writes a text if it is ASCII, which is faster for short texts than a call of Node. Returns true if it was. */
  #ascii(text: string): boolean {
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code >= 128) {
        return false;
      }
      this.#bytes[this.#length + index] = code;
    }
    return true;
  }

  #room(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) {
    length += 1;
  }
  return length;
}
