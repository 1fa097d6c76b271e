import type { IncomingHttpHeaders } from 'node:http';

import { gatewayOnlyHeaders, gatewayOnlyResponseHeaders } from '@meridian/router-config';

import type { StageHeaders } from './messages.ts';

/** A handler did what its stage does not allow. */
export class StageRuleError extends Error {
  override readonly name = 'StageRuleError';
}

/** The reason for which a field cannot be set to a value, or deleted; undefined if it can. In lower case. */
type Refuse = (name: string, value: string | undefined) => string | undefined;

/** Several values only for `set-cookie`, whose values may contain commas. */
export type FieldValue = string | readonly string[];

/** RFC 9110 §5.1 and §5.5. */
const fieldName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Hears of each field that is read; without a name, of all. */
interface HeadersReader {
  onRead(name: string | undefined): void;
}

/** Header fields that code at a stage reads and changes. The original object stays as it is: requests share theirs. */
export class ChangeableHeaders implements StageHeaders {
  readonly #original: Readonly<IncomingHttpHeaders>;
  readonly #refuse: Refuse;
  readonly #reader: HeadersReader | undefined;
  /** Undefined for a field that is deleted. */
  #changes: Map<string, FieldValue | undefined> | undefined;

  /** @param original names in lower case */
  constructor(original: Readonly<IncomingHttpHeaders>, refuse: Refuse, reader?: HeadersReader) {
    this.#original = original;
    this.#refuse = refuse;
    this.#reader = reader;
  }

  get isChanged(): boolean {
    return this.#changes !== undefined;
  }

  /** The fields that have changed; undefined for one that is deleted. */
  get changes(): ReadonlyMap<string, FieldValue | undefined> {
    return this.#changes ?? noChanges;
  }

  /** The values of `set-cookie`. */
  get cookies(): readonly string[] {
    return listOf(this.#value('set-cookie'));
  }

  /** The fields as they are now. The original object where nothing has changed. */
  get fields(): Readonly<IncomingHttpHeaders> {
    return this.#changes === undefined ? this.#original : Object.fromEntries(this.#entries());
  }

  get(name: string): string | undefined {
    const key = name.toLowerCase();
    this.#reader?.onRead(key);
    return textOf(this.#value(key));
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, value: FieldValue): void {
    const key = name.toLowerCase();
    const values = listOf(value);
    // Code at a stage may be JavaScript.
    if (
      !fieldName.test(key) ||
      values.length === 0 ||
      !values.every((each) => typeof each === 'string' && fieldValue.test(each))
    ) {
      throw new StageRuleError(`the header field ${JSON.stringify(name)} cannot have this value`);
    }
    this.#change(key, key === 'set-cookie' ? values : values.join(', '));
  }

  delete(name: string): void {
    this.#change(name.toLowerCase(), undefined);
  }

  *[Symbol.iterator](): Iterator<readonly [string, string]> {
    this.#reader?.onRead(undefined);
    for (const entry of this.#entries()) {
      if (entry[0] === 'set-cookie') {
        yield* this.cookies.map((cookie) => ['set-cookie', cookie] as const);
      } else {
        yield entry;
      }
    }
  }

  #value(key: string): FieldValue | undefined {
    if (this.#changes?.has(key) === true) {
      return this.#changes.get(key);
    }
    return Object.hasOwn(this.#original, key) ? this.#original[key] : undefined;
  }

  #entries(): [string, string][] {
    const names = new Set([...Object.keys(this.#original), ...(this.#changes?.keys() ?? [])]);
    return Array.from(names, (name): [string, string | undefined] => [
      name,
      textOf(this.#value(name)),
    ]).filter((entry): entry is [string, string] => entry[1] !== undefined);
  }

  #change(name: string, value: FieldValue | undefined): void {
    const before = listOf(this.#value(name));
    const after = listOf(value);
    if (before.length === after.length && before.every((each, index) => each === after[index])) {
      return;
    }
    const reason = this.#refuse(name, textOf(value));
    if (reason !== undefined) {
      throw new StageRuleError(`the header field ${name} cannot be changed here: ${reason}`);
    }
    this.#changes ??= new Map();
    this.#changes.set(name, value);
  }
}

// Code may be JavaScript, where `headers['x-a'] = 'b'` would have no effect.
Object.setPrototypeOf(
  ChangeableHeaders.prototype,
  new Proxy(Object.prototype, {
    set(_target, name): never {
      throw new StageRuleError(`a header field is not assigned: call headers.set('${String(name)}', value)`);
    },
  }),
);

const noChanges: ReadonlyMap<string, FieldValue | undefined> = new Map();

function listOf(value: FieldValue | undefined): readonly string[] {
  return [value ?? []].flat();
}

function textOf(value: FieldValue | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value;
}

/** The values of `set-cookie` as they are sent beside a response: each name, followed by its value. */
export function cookieFields(cookies: FieldValue | undefined): readonly string[] {
  return listOf(cookies).flatMap((cookie) => ['Set-Cookie', cookie]);
}

const framing = 'the gateway frames messages itself';

/** Of a client's request. The checks of cross-site requests rest on some. */
export function refusedOfClient(name: string): string | undefined {
  if (gatewayOnlyHeaders.has(name)) {
    return framing;
  }
  return name === 'host' || name === 'origin' || name.startsWith('sec-') || name.startsWith('access-control-')
    ? 'the checks of cross-site requests rest on it'
    : undefined;
}

/** Of a request whose caller is known. */
export function refusedAfterIdentity(credentialFields: readonly string[]): Refuse {
  const credentials = new Set(['authorization', 'cookie', ...credentialFields]);
  return (name, value) =>
    credentials.has(name) && value !== undefined
      ? 'it is a credential, which is verified already; change it at router.request'
      : refusedOfClient(name);
}

/** Of a request to a subgraph. */
export function refusedOfSubgraph(name: string): string | undefined {
  return gatewayOnlyHeaders.has(name) || name === 'host' ? framing : undefined;
}

/** Of a response in parts, whose media type says where they end. */
export function refusedOfParts(name: string, value: string | undefined): string | undefined {
  return name === 'content-type' ? framing : refusedOfResponse(name, value);
}

/** Of a response to a client. Caches must not keep what the gateway says they may not. */
export function refusedOfResponse(name: string, value: string | undefined): string | undefined {
  if (name === 'cache-control') {
    return value !== undefined && /(?:^|[\s,])no-store(?:$|[\s,])/iu.test(value)
      ? undefined
      : 'only no-store is allowed';
  }
  if (name === 'vary') {
    return value === undefined ? 'what is there stays' : undefined;
  }
  const isOwn = name === 'content-type' ? value === undefined : gatewayOnlyResponseHeaders.has(name);
  return isOwn ? 'the gateway writes it itself' : undefined;
}
