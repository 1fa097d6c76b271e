import { field, frame, getHead, headFrames, preface } from '../http2-frames.ts';
import type { ConnectionKind } from './connection-kinds.ts';

const postHead = getHead.replace('\x82', '\x83');
/** The greatest windows, RFC 9113 §6.9. */
const greatestWindows = frame(4, 0, 0, '\x00\x04\x7f\xff\xff\xff') + frame(8, 0, 0, '\x7f\xff\x00\x00');

const streams = Array.from({ length: 100 }, (_, index) => 2 * index + 1);
const everyStream = (text: (stream: number) => string): string => streams.map(text).join('');
const manyFields = Array.from({ length: 190 }, (_, index) => field(`a${index}`, 'x'.repeat(200))).join('');
const asIs = { protocol: 'h2' } as const;

/** The ways to keep a connection of HTTP/2, and to make a server work on one. */
export const http2Kinds: readonly ConnectionKind[] = [
  { ...asIs, name: 'HTTP/2, never used', state: 'idle', steps: [{ bytes: preface, responses: 0 }] },
  {
    ...asIs,
    name: 'HTTP/2, after a small request',
    state: 'idle',
    steps: [{ bytes: preface + frame(1, 5, 1, getHead), responses: 1 }],
  },
  {
    ...asIs,
    name: 'HTTP/2, after a head of 190 fields, 40 kB',
    state: 'idle',
    steps: [{ bytes: preface + headFrames(1, getHead + manyFields), responses: 1 }],
  },
  {
    ...asIs,
    name: 'HTTP/2, after a head with a field of 60 kB',
    state: 'idle',
    steps: [{ bytes: preface + headFrames(1, getHead + field('a', 'x'.repeat(60_000))), responses: 1 }],
  },
  {
    ...asIs,
    name: 'HTTP/2, after 100 requests at once',
    state: 'idle',
    steps: [{ bytes: preface + everyStream((stream) => frame(1, 5, stream, getHead)), responses: 100 }],
  },
  {
    ...asIs,
    name: 'HTTP/2, after a body of 60 kB',
    state: 'idle',
    steps: [
      {
        bytes:
          preface +
          frame(1, 4, 1, postHead) +
          Array.from({ length: 60 }, (_, index) => frame(0, index === 59 ? 1 : 0, 1, 'x'.repeat(1000))).join(
            '',
          ),
        responses: 1,
      },
    ],
  },
  {
    ...asIs,
    name: 'HTTP/2, after a body of 20 000 frames of one byte',
    state: 'idle',
    steps: [
      {
        bytes: preface + frame(1, 4, 1, postHead) + frame(0, 0, 1, 'x').repeat(20_000) + frame(0, 1, 1),
        responses: 1,
      },
    ],
  },
  {
    ...asIs,
    name: 'HTTP/2, a head of 60 kB without its end',
    state: 'half-sent',
    steps: [
      {
        bytes: preface + headFrames(1, getHead + field('a', 'x'.repeat(60_000)), { isWhole: false }),
        responses: 0,
      },
    ],
  },
  {
    ...asIs,
    name: 'HTTP/2, 100 requests whose responses get no window',
    state: 'half-sent',
    maxBytes: 500_000,
    steps: [
      {
        bytes:
          preface +
          frame(4, 0, 0, '\x00\x04\x00\x00\x00\x00') +
          everyStream((stream) => frame(1, 5, stream, getHead)),
        responses: 100,
      },
    ],
  },
  {
    ...asIs,
    name: 'HTTP/2, a head that becomes 200 MB (HPACK bomb)',
    state: 'idle',
    steps: [
      {
        bytes:
          preface +
          headFrames(1, getHead + field('a', 'x'.repeat(4000), true)) +
          headFrames(3, getHead + '\xbe'.repeat(50_000)),
        responses: 1,
      },
    ],
  },
  flood('pings', frame(6, 0, 0, '\0'.repeat(8))),
  flood('settings', frame(4, 0, 0)),
  flood('settings that are changed', frame(4, 0, 0, '\x00\x01\x00\x00\x00\x00\x00\x01\x00\x00\x10\x00')),
  flood('frames of data without bytes', frame(0, 0, 1), frame(1, 4, 1, postHead)),
  { ...flood('windows of one byte', frame(8, 0, 0, '\0\0\0\x01')), state: 'idle' },
  flood('priorities', frame(2, 0, 1, '\0\0\0\0\x01')),
  flood('frames of no known type', frame(0xbb, 0, 0)),
  flood('CONTINUATION without bytes', frame(9, 0, 1), frame(1, 1, 1, getHead)),
  {
    ...asIs,
    name: 'HTTP/2, 10 000 requests that are reset at once (rapid reset)',
    state: 'closed',
    steps: [
      {
        bytes:
          preface +
          greatestWindows +
          Array.from({ length: 10_000 }, (_, index) => 2 * index + 1)
            .map((stream) => frame(1, 5, stream, getHead) + frame(3, 0, stream, '\0\0\0\x08'))
            .join(''),
        responses: 0,
      },
    ],
  },
];

function flood(name: string, bytes: string, start = ''): ConnectionKind {
  const steps = [{ bytes: preface + start + bytes.repeat(20_000), responses: 0 }];
  return { ...asIs, name: `HTTP/2, 20 000 ${name}`, state: 'closed', steps };
}
