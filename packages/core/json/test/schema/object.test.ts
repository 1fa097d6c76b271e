import { describe, expect, it } from '@jest/globals';
import { ignored, int64, nullable, object, optional, transform, text } from '@meridian/json';

import { faultOf, read } from './read-text.ts';

const transfer = object({
  to: text(),
  amount: object({ units: int64({ minimum: 1n }) }),
  reference: optional(nullable(text({ maxLength: 3 }))),
  created_at: optional(ignored({ description: 'Ignored.' })),
});

describe('The object schema', () => {
  it('reads its members by their names, and an absent one as undefined', () => {
    expect(read(transfer, '{"to":"b","amount":{"units":9007199254740993}}')).toEqual({
      to: 'b',
      amount: { units: 9007199254740993n },
      reference: undefined,
      created_at: undefined,
    });
  });

  it('distinguishes a member that is null from an absent one', () => {
    expect(read(transfer, '{"to":"b","amount":{"units":1},"reference":null}').reference).toBeNull();
  });

  it('reads an ignored member as undefined, whatever it holds', () => {
    expect(read(transfer, '{"to":"b","amount":{"units":1},"created_at":[1]}').created_at).toBeUndefined();
  });

  it.each([
    ['7', 'it is not a JSON object'],
    ['[]', 'it is not a JSON object'],
    ['null', 'it is not a JSON object'],
    ['{}', 'to is missing'],
    ['{"to":"b"}', 'amount is missing'],
    ['{"to":null,"amount":{"units":1}}', 'to is not a string'],
    ['{"to":"b","amount":1}', 'amount is not a JSON object'],
    ['{"to":"b","amount":{}}', 'amount.units is missing'],
    ['{"to":"b","amount":{"units":0}}', 'amount.units is below 1'],
    ['{"to":"b","amount":{"units":1},"reference":"four"}', 'reference is not a string'],
    ['{"x":1}', 'it has an unknown field "x"; its fields are to, amount, reference, created_at'],
    ['{"to":"b","amount":{"x\\n":1}}', 'amount has an unknown field "x\\n"; its fields are units'],
    [
      '{"__proto__":1}',
      'it has an unknown field "__proto__"; its fields are to, amount, reference, created_at',
    ],
    [
      '{"toString":1}',
      'it has an unknown field "toString"; its fields are to, amount, reference, created_at',
    ],
  ])('refuses %s: %s', (json, message) => {
    expect(faultOf(transfer, json)).toBe(message);
  });

  it('repeats at most 64 characters of an unknown name', () => {
    expect(faultOf(object({}), `{"${'x'.repeat(1000)}":1}`)).toContain(`"${'x'.repeat(64)}…"`);
  });

  it('writes what it reads, without undefined members', () => {
    const json = '{"to":"b","amount":{"units":9007199254740993},"reference":null}';
    expect(transfer.write(read(transfer, json))).toBe(json);
  });
});

describe('readAs', () => {
  it('returns what its function makes from the value', () => {
    const units = transform(transfer, ({ amount }) => amount.units);
    expect(read(units, '{"to":"b","amount":{"units":7}}')).toBe(7n);
  });
});
