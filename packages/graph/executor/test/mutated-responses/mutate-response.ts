import type { Random } from '@meridian/testing';

/** Changes an answer at the level of its bytes. */
type Mutate = (response: Buffer, random: Random, other: Buffer) => Buffer;

/** Changes a response at a few random places. Some results are valid, most are not JSON, and some are not UTF-8. */
export function mutateResponse(response: Buffer, random: Random, other: Buffer): Buffer {
  let mutated = response;
  do {
    mutated = random.pick(mutations)(mutated, random, other);
  } while (random.chance(0.3));
  return mutated;
}

const near = String.raw`
  null true false 0 -0 -0.0 -1 1.0 1e3 1E3 1e999 0.1e-7 2147483648 12345678901234567890 0.30000000000000004
  0.300000000000000040 - .5 5. 01 "3" "DRY" "WET" " \ \u0041 \ud800 \/ { } [ ] , : {} [] [null] "__typename" "Thing"
  "Other" "Maker" "Query" {"__typename":"Thing"} "__proto__" "constructor" "errors" "data" "id" "name" é 🎈
  ,"errors":[{"message":"m","path":["things",1,"name"]}] ,"errors":[] ,"data":null
`;
const tokens = [...near.trim().split(/\s+/), ' ', '\t', '\n', '\0', '\u001f', '\ufeff'].map((text) =>
  Buffer.from(text),
);

const mutations: readonly Mutate[] = [
  flip,
  flip,
  (response, random) => spliced(response, random.below(response.length + 1), 0, Buffer.of(random.below(256))),
  (response, random) => spliced(response, random.below(response.length + 1), 0, random.pick(tokens)),
  (response, random) =>
    spliced(response, random.below(response.length + 1), 1 + random.below(4), Buffer.alloc(0)),
  (response, random) => spliced(response, random.below(response.length + 1), 0, rangeOf(response, random)),
  (response, random, other) =>
    spliced(response, random.below(response.length + 1), 0, rangeOf(other, random)),
  (response, random) => response.subarray(0, random.below(response.length + 1)),
  (response, random) => Buffer.concat([response, random.pick(tokens)]),
  (response, random, other) => Buffer.concat([response, Buffer.of(0), other, Buffer.of(random.below(2))]),
  replaceToken,
  replaceToken,
  replaceToken,
  swapTokens,
  swapTokens,
  escapeCharacter,
];

function flip(response: Buffer, random: Random): Buffer {
  const flipped = Buffer.from(response);
  const at = random.below(response.length);
  flipped[at] = (response[at] ?? 0) ^ (1 << random.below(8));
  return flipped;
}

function rangeOf(response: Buffer, random: Random): Buffer {
  const start = random.below(response.length + 1);
  return response.subarray(start, start + random.below(60));
}

function replaceToken(response: Buffer, random: Random): Buffer {
  const found = tokensOf(response);
  if (found.length === 0) {
    return response;
  }
  const { start, length } = random.pick(found);
  return spliced(response, start, length, random.pick(tokens));
}

/** Exchanges two values or keys, with all that is in them. */
function swapTokens(response: Buffer, random: Random): Buffer {
  const found = tokensOf(response);
  if (found.length < 2) {
    return response;
  }
  const [one, other] = [random.pick(found), random.pick(found)].toSorted((a, b) => a.start - b.start);
  if (one === undefined || other === undefined || one.start + one.length > other.start) {
    return response;
  }
  const textOf = ({ start, length }: Token): Buffer => response.subarray(start, start + length);
  return Buffer.concat([
    response.subarray(0, one.start),
    textOf(other),
    response.subarray(one.start + one.length, other.start),
    textOf(one),
    response.subarray(other.start + other.length),
  ]);
}

/** Writes one character of a text as an escape: the value stays the same. */
function escapeCharacter(response: Buffer, random: Random): Buffer {
  const letters = [...response.toString('latin1').matchAll(/(?<=[ -][a-z]*)[a-z](?=[ "\d-])/g)];
  if (letters.length === 0) {
    return response;
  }
  const { index, 0: letter } = random.pick(letters);
  const code = letter.charCodeAt(0).toString(16).padStart(4, '0');
  return spliced(response, index, 1, Buffer.from(`\\u${code}`));
}

interface Token {
  readonly start: number;
  readonly length: number;
}

function tokensOf(response: Buffer): readonly Token[] {
  const matches = response
    .toString('latin1')
    .matchAll(/"(?:[^"\\]|\\.)*"|[-\d.eE+]+|true|false|null|\{[^{}]*\}/g);
  return Array.from(matches, ({ index, 0: { length } }) => ({ start: index, length }));
}

function spliced(response: Buffer, start: number, dropped: number, inserted: Buffer): Buffer {
  return Buffer.concat([response.subarray(0, start), inserted, response.subarray(start + dropped)]);
}
