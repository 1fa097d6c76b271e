import { field, frame, getHead, headFrames, preface } from '../http2-frames.ts';
import { atOnce } from './connection-kinds.ts';
import type { ConnectionKind } from './connection-kinds.ts';

const postHead = getHead.replace('\x82', '\x83');
/** The greatest windows, RFC 9113 §6.9. */
const greatestWindows = frame(4, 0, 0, '\x00\x04\x7f\xff\xff\xff') + frame(8, 0, 0, '\x7f\xff\x00\x00');

const streams = Array.from({ length: 100 }, (_, index) => 2 * index + 1);
const everyStream = (text: (stream: number) => string): string => streams.map(text).join('');
const manyFields = Array.from({ length: 190 }, (_, index) => field(`a${index}`, 'x'.repeat(200))).join('');

const kilobyte = 'x'.repeat(1000);

/** The ways to keep a connection of HTTP/2, and to make a server work on one. */
export const http2Kinds: readonly ConnectionKind[] = [
  http2('idle', 'never used', ''),
  http2('idle', 'after a small request', frame(1, 5, 1, getHead), 1),
  http2('idle', 'after a head of 190 fields, 40 kB', headFrames(1, getHead + manyFields), 1),
  http2(
    'idle',
    'after a head with a field of 60 kB',
    headFrames(1, getHead + field('a', 'x'.repeat(60_000))),
    1,
  ),
  http2(
    'idle',
    'after 100 requests at once',
    everyStream((stream) => frame(1, 5, stream, getHead)),
    100,
  ),
  http2(
    'idle',
    'after a body of 60 kB',
    frame(1, 4, 1, postHead) + frame(0, 0, 1, kilobyte).repeat(59) + frame(0, 1, 1, kilobyte),
    1,
  ),
  http2(
    'idle',
    'after a body of 20 000 frames of one byte',
    frame(1, 4, 1, postHead) + frame(0, 0, 1, 'x').repeat(20_000) + frame(0, 1, 1),
    1,
  ),
  http2(
    'half-sent',
    'a head of 60 kB without its end',
    headFrames(1, getHead + field('a', 'x'.repeat(60_000)), { isWhole: false }),
  ),
  {
    ...http2(
      'half-sent',
      '100 requests whose responses get no window',
      frame(4, 0, 0, '\x00\x04\x00\x00\x00\x00') + everyStream((stream) => frame(1, 5, stream, getHead)),
      100,
    ),
    maxBytes: 500_000,
  },
  http2(
    'idle',
    'a head that becomes 200 MB (HPACK bomb)',
    headFrames(1, getHead + field('a', 'x'.repeat(4000), true)) +
      headFrames(3, getHead + '\xbe'.repeat(50_000)),
    1,
  ),
  flood('pings', frame(6, 0, 0, '\0'.repeat(8))),
  flood('settings', frame(4, 0, 0)),
  flood('settings that are changed', frame(4, 0, 0, '\x00\x01\x00\x00\x00\x00\x00\x01\x00\x00\x10\x00')),
  flood('frames of data without bytes', frame(0, 0, 1), frame(1, 4, 1, postHead)),
  { ...flood('windows of one byte', frame(8, 0, 0, '\0\0\0\x01')), state: 'idle' },
  flood('priorities', frame(2, 0, 1, '\0\0\0\0\x01')),
  flood('frames of no known type', frame(0xbb, 0, 0)),
  flood('CONTINUATION without bytes', frame(9, 0, 1), frame(1, 1, 1, getHead)),
  http2(
    'closed',
    '10 000 requests that are reset at once (rapid reset)',
    greatestWindows +
      Array.from({ length: 10_000 }, (_, index) => 2 * index + 1)
        .map((stream) => frame(1, 5, stream, getHead) + frame(3, 0, stream, '\0\0\0\x08'))
        .join(''),
  ),
];

function http2(...[state, name, bytes, responses]: Parameters<typeof atOnce>): ConnectionKind {
  return { ...atOnce(state, `HTTP/2, ${name}`, preface + bytes, responses), protocol: 'h2' };
}

function flood(name: string, bytes: string, start = ''): ConnectionKind {
  return http2('closed', `20 000 ${name}`, start + bytes.repeat(20_000));
}
