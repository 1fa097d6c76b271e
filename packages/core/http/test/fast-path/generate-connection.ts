import { generateOddRequest } from './odd-requests.ts';
import { generatePlainRequest, writeRequest } from './plain-requests.ts';
import type { Random } from '@meridian/testing';

/** A client with its connection, and how the server answers it. */
export interface GeneratedConnection {
  /** The bytes that it sends. */
  readonly pieces: readonly Buffer[];
  /** The turns of the event loop between two pieces. */
  readonly turns: number;
  /** True when a request is answered in a later turn of the event loop than it arrives. */
  readonly isSentLater: boolean;
}

/** Enough to answer all requests of a piece. */
const manyTurns = 30;

/** A client that sends one to seven requests. Of half of the clients, some are odd. */
export function generateConnection(random: Random): GeneratedConnection {
  const oddShare = random.pick([0, 0.3, 0.3, 1]);
  const requests = Array.from({ length: random.pick([1, 1, 2, 3, 5, 7]) }, () =>
    writeRequest(random.chance(oddShare) ? generateOddRequest(random) : generatePlainRequest(random)),
  );
  if (random.chance(0.1)) {
    const index = random.below(requests.length);
    requests[index] = damage(requests[index] ?? '', random);
  }
  const pieces = random.pick([inOne, inOne, byRequest, byRequest, byRequest, atRandom, byByte])(
    requests,
    random,
  );
  const turns = random.pick([1, 2, 4, manyTurns, manyTurns, manyTurns]);
  const isSentLater = random.chance(0.6);
  return {
    pieces: pieces.filter((piece) => piece !== '').map((piece) => Buffer.from(piece, 'latin1')),
    turns,
    isSentLater,
  };
}

/** Changes bytes without regard to what they mean. */
function damage(text: string, random: Random): string {
  // Mostly in the head.
  const index = random.below(Math.min(text.length, 400));
  const length = random.pick([0, 1, 1, 2, 20]);
  const byte = String.fromCharCode(random.below(256));
  const replacement = random.pick(['', byte, byte, text.slice(index, index + length).repeat(2)]);
  return text.slice(0, index) + replacement + text.slice(index + length);
}

type Cut = (requests: readonly string[], random: Random) => readonly string[];

const inOne: Cut = (requests) => [requests.join('')];

const byRequest: Cut = (requests) => requests;

const atRandom: Cut = (requests, random) => cutAt(requests.join(''), random, random.pick([1, 2, 3, 10]));

/** Only short ones: a long one takes thousands of turns. */
const byByte: Cut = (requests, random) => {
  const text = requests.join('');
  return text.length > 500 ? cutAt(text, random, 30) : text.split('');
};

function cutAt(text: string, random: Random, count: number): readonly string[] {
  const places = Array.from({ length: count }, () => random.below(text.length + 1)).toSorted(
    (one, other) => one - other,
  );
  return [0, ...places].map((start, index) => text.slice(start, places[index] ?? text.length));
}
