// The memory of spliced runs: it grows with what it is given, and what was on it before is never read again.
import { describe, expect, it } from '@jest/globals';

import { FastPathBailout } from '../../../src/fast-path/tape/fast-path-bailout.ts';
import { fixedText } from '../../../src/fast-path/tape/fixed-text.ts';
import { InternTable } from '../../../src/fast-path/tape/intern-table.ts';
import {
  copyValue,
  createObject,
  putText,
  slotOffset,
  writeText,
} from '../../../src/fast-path/tape/spliced-object.ts';
import { skipString } from '../../../src/fast-path/tape/skip-value.ts';
import { TapePool } from '../../../src/fast-path/tape/tape-pool.ts';
import { Tape } from '../../../src/fast-path/tape/tape.ts';
import { endOfFlatObject, startsWith } from '../../../src/fast-path/tape/tokens.ts';

function textOf({ bytes, end }: Tape): string {
  return bytes.toString('utf8', 0, end);
}

describe('A tape', () => {
  it('grows when much is written to it', () => {
    const tape = new Tape();
    const text = Buffer.from('0123456789'.repeat(1000));
    for (let count = 0; count < 100; count += 1) {
      tape.write(text);
    }
    expect(textOf(tape)).toBe('0123456789'.repeat(100_000));
    expect(tape.view.byteLength).toBe(tape.bytes.length);
  });

  it('grows when it copies its own bytes', () => {
    const tape = new Tape();
    tape.write(Buffer.from('abcdefgh'));
    for (let count = 0; count < 15; count += 1) {
      tape.copy(0, tape.end);
    }
    expect(textOf(tape)).toBe('abcdefgh'.repeat(2 ** 15));
  });

  it('allocates words that are zero, also when they were used before', () => {
    const tape = new Tape();
    const start = tape.allocate(5000);
    tape.words.fill(7, start, start + 5000);
    tape.release(start);
    const again = tape.allocate(10_000);
    expect(again).toBe(start);
    expect(tape.words.subarray(again, again + 10_000).every((word) => word === 0)).toBe(true);
  });

  it('keeps its words when it grows', () => {
    const tape = new Tape();
    const start = tape.allocate(1);
    tape.words[start] = 42;
    tape.allocate(100_000);
    expect(tape.words[start]).toBe(42);
  });

  it('ends each subgraph response with a byte that no response has', () => {
    const tape = new Tape();
    tape.write(Buffer.from('x'.repeat(100)));
    tape.clear();
    tape.load('{}');
    expect([...tape.bytes.subarray(0, tape.end)]).toEqual([...Buffer.from('{}'), 0]);
    expect(tape.position).toBe(0);
  });

  it.each([
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['a string with half a surrogate pair', '"\ud800"'],
  ])('bails out for %s', (_what, response) => {
    expect(() => new Tape().load(response)).toThrow(FastPathBailout);
  });

  it('is clear when it is acquired again', () => {
    const tapes = new TapePool();
    const tape = tapes.acquire();
    tape.write(Buffer.from('what one run brought'));
    tape.allocate(3);
    tapes.release(tape);
    const again = tapes.acquire();
    expect(again).toBe(tape);
    expect([again.end, again.allocate(1)]).toEqual([0, 1]);
  });

  it('is not reused when it has grown large', () => {
    const tapes = new TapePool();
    const tape = tapes.acquire();
    tape.write(Buffer.alloc(2 ** 21));
    tapes.release(tape);
    expect(tapes.acquire()).not.toBe(tape);
  });

  it('is not reused when it has interned many texts', () => {
    const tapes = new TapePool();
    const tape = tapes.acquire();
    for (let count = 0; count < 60_000; count += 1) {
      const start = tape.end;
      tape.write(Buffer.from(`{"id":"${count}"}`));
      tape.equals.entryOf(tape.view, 1, start, tape.end);
    }
    expect(tape.bytes.length + tape.words.byteLength).toBeLessThan(2 ** 21);
    tapes.release(tape);
    expect(tapes.acquire()).not.toBe(tape);
  });
});

describe('Reading a word at a time', () => {
  /** A tape with this response, `before` bytes from a word's start. */
  function tapeWith(response: Buffer, before: number): Tape {
    const tape = new Tape();
    tape.write(Buffer.alloc(before));
    tape.load(response);
    return tape;
  }

  /** The end of the string at the start of a text, as `JSON.parse` reads it; undefined where there is none. */
  function endOfString(text: string): number | undefined {
    const ends = Array.from(text, (_character, index) => index + 1);
    return ends.find((end) => {
      try {
        return typeof JSON.parse(text.slice(0, end)) === 'string';
      } catch {
        return false;
      }
    });
  }

  /** The end of the string that is next, from a position; undefined when the tape bails out. */
  function endOf(tape: Tape, from: number): number | undefined {
    try {
      skipString(tape);
      return tape.position - from;
    } catch (error) {
      return error instanceof FastPathBailout ? undefined : Number.NaN;
    }
  }

  it('ends a string at its quote, or bails out, as `JSON.parse` says, for each character at each offset', () => {
    for (let character = 0; character < 0x80; character += 1) {
      for (let length = 0; length < 10; length += 1) {
        const text = `"${'~'.repeat(length)}${String.fromCodePoint(character)}" \\"`;
        const tape = tapeWith(Buffer.from(text), length % 4);
        const { position } = tape;
        expect([text, endOf(tape, position)]).toEqual([text, endOfString(text)]);
      }
    }
  });

  it.each(['', '"', '"a', '"ab', '"abc', '"abcd', '"é', String.raw`"\``, String.raw`"\u12`])(
    'bails out for %j, which does not end',
    (text) => {
      const tape = new Tape();
      // The bytes of an earlier run would end it.
      tape.write(Buffer.from('"'.repeat(64)));
      tape.clear();
      tape.load(text);
      expect(() => skipString(tape)).toThrow(FastPathBailout);
    },
  );

  it('reads a response at the very end of its memory', () => {
    const { length } = new Tape().bytes;
    const text = `"${'x'.repeat(98)}"`;
    for (let room = 0; room < 16; room += 1) {
      const tape = tapeWith(Buffer.from(text), length - text.length - room);
      skipString(tape);
      expect(startsWith(tape, fixedText('x'))).toBe(false);
      expect(tape.position).toBe(tape.responseEnd);
    }
  });

  it.each(['a', '":', '"a":', '{"__typename":"Ünï"'])('finds the text %j, and no other', (text) => {
    const bytes = Buffer.from(text);
    expect(startsWith(tapeWith(Buffer.from(`${text}~`), 1), fixedText(text))).toBe(true);
    for (let at = 0; at < text.length; at += 1) {
      const changed = Buffer.from(text);
      changed[at] = (bytes[at] ?? 0) ^ 1;
      const tape = new Tape();
      tape.write(changed);
      tape.write(Buffer.alloc(4));
      expect(startsWith(tape, fixedText(text))).toBe(false);
    }
  });

  it('finds the next closing brace in the response', () => {
    for (let length = 0; length < 10; length += 1) {
      const tape = tapeWith(Buffer.from(`${'|~'.repeat(length)}}}`), 3);
      expect(endOfFlatObject(tape) - tape.position).toBe(2 * length + 1);
      expect(endOfFlatObject(tapeWith(Buffer.from('{'.repeat(length)), 0))).toBe(length);
    }
  });
});

describe('Writing a word at a time', () => {
  it('writes fixed texts and copies of each length, wherever the memory ends', () => {
    for (let length = 0; length < 80; length += 1) {
      const text = Buffer.from(Array.from({ length }, (_, index) => 0x30 + (index % 64))).toString();
      for (let room = 0; room < 12; room += 1) {
        const tape = new Tape();
        tape.write(Buffer.alloc(tape.bytes.length - length - room, '.'));
        const start = tape.end;
        tape.writeFixed(fixedText(text));
        tape.writeByte(0x2c);
        tape.copy(start, start + length);
        tape.copy(start, start + length);
        expect(tape.bytes.toString('utf8', start, tape.end)).toBe(`${text},${text}${text}`);
      }
    }
  });
});

describe('copyValue', () => {
  /** An object with one leaf, which the last answer was asked for. */
  function objectWith(first: string, last: string) {
    const tape = new Tape();
    const object = createObject(tape, 1, 1);
    const at = object + slotOffset(0);
    for (const leaf of [first, last]) {
      tape.load(leaf);
      putText(tape, at, tape.responseStart, tape.responseEnd);
    }
    const other = createObject(tape, 1, 1);
    return { tape, at, otherAt: other + slotOffset(0) };
  }

  it('copies a value to another object that shares the representation', () => {
    const { tape, at, otherAt } = objectWith('1', '2');
    copyValue(tape, at, otherAt);
    const { end } = tape;
    writeText(tape, otherAt);
    expect(tape.bytes.toString('latin1', end, tape.end)).toBe('2');
  });

  it('bails out when an earlier subgraph response wrote the value, which was not meant for the other object', () => {
    const { tape, at, otherAt } = objectWith('1', 'null');
    expect(() => copyValue(tape, at, otherAt)).toThrow(FastPathBailout);
  });
});

describe('The intern table', () => {
  const numbers = Array.from({ length: 3000 }, (_, index) => `{"id":"${index % 1000}"}`);

  /** The ranges of these texts on one tape. */
  function written(texts: readonly string[]) {
    const tape = new Tape();
    const ranges = texts.map((text) => {
      const start = tape.end;
      tape.write(Buffer.from(text));
      return { start, end: tape.end };
    });
    return { tape, ranges };
  }

  it('gives equal texts one number, however many there are', () => {
    const { tape, ranges } = written(numbers);
    const table = new InternTable();
    const found = ranges.map(({ start, end }, index) => {
      const entry = table.entryOf(tape.view, 1, start, end);
      if (table.valueAt(entry) === 0) {
        table.setValueAt(entry, index + 1);
      }
      return table.valueAt(entry);
    });
    expect(found).toEqual(numbers.map((_, index) => (index % 1000) + 1));
  });

  it('distinguishes thousands of texts that differ in their last digits', () => {
    const { tape, ranges } = written(Array.from({ length: 2000 }, (_, index) => String(index)));
    const table = new InternTable();
    const entries = ranges.map(({ start, end }, index) => {
      table.setValueAt(table.entryOf(tape.view, 1, start, end), index + 1);
      return table.valueAt(table.entryOf(tape.view, 1, start, end));
    });
    expect(entries).toEqual(ranges.map((_, index) => index + 1));
  });

  it('separates scopes, and is empty once it is cleared', () => {
    const { tape, ranges } = written(['same']);
    const [{ start, end } = { start: 0, end: 0 }] = ranges;
    const table = new InternTable();
    table.setValueAt(table.entryOf(tape.view, 1, start, end), 5);
    expect(table.valueAt(table.entryOf(tape.view, 2, start, end))).toBe(0);
    expect(table.valueAt(table.entryOf(tape.view, 1, start, end))).toBe(5);
    table.clear();
    expect(table.valueAt(table.entryOf(tape.view, 1, start, end))).toBe(0);
  });

  it('finds nothing of an earlier use, whatever its scopes', () => {
    const { tape, ranges } = written(['same']);
    const [{ start, end } = { start: 0, end: 0 }] = ranges;
    const table = new InternTable();
    for (const scope of [3, 2 ** 29, 1, 2 ** 30, 2, 3]) {
      expect(table.valueAt(table.entryOf(tape.view, scope, start, end))).toBe(0);
      table.setValueAt(table.entryOf(tape.view, scope, start, end), scope);
      expect(table.valueAt(table.entryOf(tape.view, scope, start, end))).toBe(scope);
      table.clear();
    }
  });

  it('shrinks with each use for few texts', () => {
    const { tape, ranges } = written(numbers);
    const table = new InternTable();
    const initialSize = table.size;
    ranges.forEach(({ start, end }) => void table.entryOf(tape.view, 1, start, end));
    expect(table.size).toBeGreaterThan(initialSize);
    for (let use = 0; use < 10; use += 1) {
      table.clear();
      table.entryOf(tape.view, 1, 0, 4);
    }
    expect(table.size).toBe(initialSize);
  });

  it.each([
    ['abc', 'abd'],
    ['abcd', 'abce'],
    ['abcdefg', 'abcdefgh'],
    ['xbcdefgh', 'abcdefgh'],
    ['', 'a'],
  ])('distinguishes %j from %j', (one, other) => {
    const { tape, ranges } = written([one, other]);
    const table = new InternTable();
    const [first, second] = ranges.map(({ start, end }) => table.entryOf(tape.view, 1, start, end));
    expect(first).not.toBe(second);
  });
});
