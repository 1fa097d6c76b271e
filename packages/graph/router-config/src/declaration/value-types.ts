// Long because it is a list: the values without members that keys of router.yaml take, in Apollo Router's notations.
import { isIPv4, isIPv6 } from 'node:net';

import * as values from '@meridian/settings/values';
import type { Bounds } from '@meridian/settings/values';

import { orExpansion } from './json-schema.ts';
import type { KeyType } from './key-type.ts';
import { scalar } from './key-type.ts';

/** `true` or `false`. */
export const boolean = scalar({ ...values.boolean, schema: orExpansion(values.boolean.schema) });

/** `true`, `false`, or a more exact value. */
export function booleanOr<Value>(exact: KeyType<Value>): KeyType<boolean | Value> {
  return {
    read: (value, at) => (typeof value === 'boolean' ? value : exact.read(value, at)),
    schema: { anyOf: [boolean.schema, exact.schema] },
  };
}

/** A whole number within its bounds. */
export function wholeNumber(bounds: Bounds): KeyType<number> {
  const type = values.integer(bounds);
  return scalar({ ...type, schema: orExpansion(type.schema) });
}

/** A whole number of at least 1. */
export const positiveInteger = wholeNumber({ minimum: 1 });

/** A number that is not negative, fractions included. */
export const amount = scalar({
  takes: 'a number from 0 up',
  read: (value) => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined),
  schema: orExpansion({ type: 'number', minimum: 0 }),
});

/** A part of a whole: above 0, at most 1. */
export const share = scalar({
  takes: 'a part of 1, such as 0.5',
  read: (value) => (typeof value === 'number' && value > 0 && value <= 1 ? value : undefined),
  schema: orExpansion({ type: 'number', minimum: 0 }),
});

/** `always_on`, `always_off` or a share, read as a number from 0 to 1. */
export const samplingRatio = scalar({
  takes: 'always_on, always_off or a number from 0 to 1',
  read: (value) => (value === 'always_on' ? 1 : value === 'always_off' ? 0 : values.ratio.read(value)),
  schema: orExpansion({ anyOf: [{ enum: ['always_on', 'always_off'] }, values.ratio.schema] }),
});

/** A time such as `5s`, `800ms` or `1m 30s`, in whole milliseconds, up to the limit of a timer. */
export const duration = durationUpTo(values.maxTimerMs);

/** The same without a timer: up to a century. */
export const period = durationUpTo(36_525 * 86_400_000);

function durationUpTo(maxMs: number): KeyType<number> {
  return scalar({
    takes: 'a time such as 5s, 800ms or 1m 30s',
    read: (value) => {
      const milliseconds = typeof value === 'string' ? (values.parseDuration(value) ?? 0) : 0;
      return milliseconds > 0 && milliseconds <= maxMs ? milliseconds : undefined;
    },
    schema: orExpansion({ type: 'string', pattern: String.raw`^(\s*\d+\s*[a-z]+)+\s*$`, examples: ['30s'] }),
  });
}

/** A number of bytes such as `16MiB`, `10mb` or `2000000`. As in Apollo Router, `MB` is a million and `MiB` is 1024². */
export const byteSize = scalar({
  takes: 'a number of bytes such as 16MiB, 10MB or 2000000',
  read: (value) => {
    const bytes = typeof value === 'number' || typeof value === 'string' ? parseBytes(String(value)) : 0;
    return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
  },
  schema: orExpansion({
    type: ['string', 'integer'],
    pattern: String.raw`^\d+(\.\d+)?\s*([kKmMgG]?[iI]?[bB]?)$`,
    examples: ['16MiB'],
  }),
});

/** Not a number for another notation or an unknown unit. */
function parseBytes(written: string): number {
  const [, count, prefix = '', binary = ''] =
    /^(\d+(?:\.\d+)?)\s*(?:([kmg])(i?))?b?$/i.exec(written.trim()) ?? [];
  const base = binary === '' ? 1000 : 1024;
  return count === undefined
    ? Number.NaN
    : Math.floor(Number(count) * base ** ['', 'k', 'm', 'g'].indexOf(prefix.toLowerCase()));
}

/** A text that is not empty. */
export const text = textLike({ pattern: /./s, takes: 'a text' });

export interface TextOptions {
  /** The pattern that the text must match. */
  readonly pattern: RegExp;
  /** The pattern in words, as the end of the sentence "it takes …". */
  readonly takes: string;
  /** An example, for editors and for checks without the values of variables; absent if `${env.NAME}` matches. */
  readonly example?: string;
}

/** A text of a certain form. */
export function textLike({ pattern, takes, example }: TextOptions): KeyType<string> {
  return scalar({
    takes,
    read: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
    schema: { type: 'string', ...(example !== undefined && { examples: [example] }) },
  });
}

/** One of a few words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): KeyType<Word> {
  return scalar(values.oneOf(words));
}

/** A URL with one of these schemes, or one of these words. */
export function url(schemes: readonly string[], words: readonly string[] = []): KeyType<string> {
  const { takes, read } = values.url(schemes);
  return scalar({
    takes: `${words.map((word) => `${word}, or `).join('')}${takes}`,
    read: (value) => words.find((word) => word === value) ?? read(value),
    schema: { type: 'string', examples: [`${schemes[0]}://host.example/`] },
  });
}

/** The path of an endpoint. */
const pathPattern = /^\/[^*{}?#]*$/;
const pathForm = 'a path that starts with /, without parameters';

export const urlPath = textLike({ pattern: pathPattern, takes: pathForm, example: '/graphql' });

/** The path of the graph endpoint. Authors take it for the path of the supergraph. */
export const graphPath = textLike({
  pattern: pathPattern,
  takes: `${pathForm}; the file of the supergraph is named by --supergraph or SUPERGRAPH_PATH`,
  example: '/graphql',
});

export const headerName = textLike({
  pattern: values.token,
  takes: 'the name of a header field',
  example: 'x-name',
});

/** A text that a header field can hold (RFC 9110 §5.5). With any other, a connection would end without a response. */
export const headerValue = textLike({
  pattern: /^[\t\x20-\x7e\x80-\xff]+$/,
  takes: 'the value of a header field',
});

/** The name of a header field, or a method. */
export const tokenName = textLike({
  pattern: values.token,
  takes: 'a name without spaces',
  example: 'x-name',
});

/** A regular expression over names of header fields, or over origins, in the notation of Rust, as in Apollo Router. */
export const regularExpression = scalar({
  takes: 'a regular expression',
  read: (value) => (typeof value === 'string' ? compile(value) : undefined),
  schema: { type: 'string', examples: ['^x-'] },
});

/** Of Rust's extensions, a leading `(?i)`, escapes of any punctuation and repeated anchors are supported; others are errors. */
function compile(source: string): RegExp | undefined {
  const [, insensitive, expression = ''] = /^(\(\?i\))?(.*)$/su.exec(source) ?? [];
  try {
    return new RegExp(
      withRepeatableAnchors(withoutNeedlessEscapes(expression)),
      insensitive === undefined ? 'u' : 'iu',
    );
  } catch {
    return undefined;
  }
}

/** With the flag `u`, an unnecessary escape, such as of a hyphen, is an error. */
function withoutNeedlessEscapes(expression: string): string {
  return expression.replaceAll(/\\([\s\S])/gu, (escape, escaped: string) =>
    /[!"#%&',:;<=>@_`~-]/u.test(escaped) ? `\\x${escaped.charCodeAt(0).toString(16)}` : escape,
  );
}

/** `^*`, which matches everything, is an error here without a group. */
function withRepeatableAnchors(expression: string): string {
  return expression.replaceAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?|[$^](?=[*+?])/gu, (part) =>
    part === '^' || part === '$' ? `(?:${part})` : part,
  );
}

/** An address to listen on. */
export interface SocketAddress {
  /** An IPv4 or IPv6 address, without brackets; of a `listenAddress` also the path of a Unix socket. */
  readonly host: string;
  /** 0 lets the system choose a free one. */
  readonly port: number;
}

const addressForm = 'an address and a port, such as 0.0.0.0:4000 or "[::1]:4000"';

/** `0.0.0.0:4000` or `"[::1]:4000"`. */
export const socketAddress = scalar({
  takes: addressForm,
  read: (value) => (typeof value === 'string' ? parseSocketAddress(value) : undefined),
  schema: { type: 'string', examples: ['0.0.0.0:4000'] },
});

/**
 * The address of a listener: as `socketAddress`, or the absolute path of a Unix socket, which becomes the host, with port
 * 0. Apollo Router reads each text without an address and a port as a path.
 */
export const listenAddress = scalar({
  takes: `${addressForm}, or the absolute path of a Unix socket, such as /run/gateway.sock`,
  read: (value) =>
    typeof value === 'string' ? (parseSocketAddress(value) ?? parseSocketPath(value)) : undefined,
  schema: { type: 'string', examples: ['0.0.0.0:4000', '/run/gateway.sock'] },
});

/** The longest path of a socket on Linux. */
const maxSocketPathBytes = 107;

function parseSocketPath(written: string): SocketAddress | undefined {
  const path = written.replace(/^unix:\/\//u, '');
  const isPath = /^\/[^?\p{Cc}]*[^?/\p{Cc}]$/u.test(path) && Buffer.byteLength(path) <= maxSocketPathBytes;
  return isPath ? { host: path, port: 0 } : undefined;
}

function parseSocketAddress(written: string): SocketAddress | undefined {
  const [, bracketed, bare, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(written) ?? [];
  const host = bracketed ?? (bare === 'localhost' ? '127.0.0.1' : bare) ?? '';
  const port = Number(digits);
  const isAddress = bracketed === undefined ? isIPv4(host) : isIPv6(host);
  return isAddress && port <= 65_535 ? { host, port } : undefined;
}

type Scalar = string | number | boolean;

/** The value of an attribute in OpenTelemetry: a text, a number, `true`, `false`, or a list of values of one of these types. */
export type AttributeValue = Scalar | readonly Scalar[];

const scalars = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] as const;

export const attributeValue = scalar<AttributeValue>({
  takes: 'a text, a number, true, false, or a list of values of one of these types',
  read: (value) => (isScalar(value) || isListOfOneType(value) ? value : undefined),
  schema: { anyOf: [...scalars, ...scalars.map((items) => ({ type: 'array', items }))] },
});

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'boolean' || Number.isFinite(value) || (typeof value === 'string' && value !== '');
}

function isListOfOneType(value: unknown): value is readonly Scalar[] {
  return Array.isArray(value) && value.every((item) => isScalar(item) && typeof item === typeof value[0]);
}
