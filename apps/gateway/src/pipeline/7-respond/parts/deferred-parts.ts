import type { DeferredFragment } from '@meridian/executor';
import type { HttpResponse } from '@meridian/http';
import type { GraphQLFormattedError } from 'graphql';

import type { DeferFormat } from '../../../http/media-types.ts';
import type { RunBatch, RunFragment, RunParts } from '../../../operation/run.ts';
import { uncachedFields } from '../cache-control.ts';
import type { CodableRequest, Compression } from '../content-coding.ts';
import { inCoding, mayBeCoded, preferredCoding } from '../content-coding.ts';
import type { Part } from './multipart.ts';
import { framed, multipartType } from './multipart.ts';

type ShownBatch = RunBatch<GraphQLFormattedError>;

/** A deferred result as the client gets it. */
export interface ShownParts {
  /** The data of the first part, as JSON. */
  readonly data: string;
  readonly errors: readonly GraphQLFormattedError[];
  readonly pending: RunParts['pending'];
  readonly batches: AsyncIterable<ShownBatch>;
  /** Called with each part after the first. */
  readonly onPart: () => void;
  /**
   * The errors of the fragments that are open when `batches` rejects: a client waits for each. Rethrows where there is
   * no client any more.
   */
  readonly failed: (
    reason: unknown,
    open: readonly DeferredFragment[],
  ) => readonly RunFragment<GraphQLFormattedError>[];
}

/** Writes the parts of a deferred result, the first one included. */
export async function* deferredParts(
  format: DeferFormat,
  { data, errors, pending, batches, failed, onPart }: ShownParts,
): AsyncGenerator<Part, void, void> {
  const writer = format === 'defer-v0.2' ? currentWriter() : writerOf20220824;
  const open = new Set(pending);
  yield { json: writer.first(data, errors, pending), isLast: false };
  try {
    for await (const batch of batches) {
      onPart();
      batch.pending.forEach((fragment) => open.add(fragment));
      batch.completed.forEach(({ fragment }) => open.delete(fragment));
      const isLast = open.size === 0;
      yield { json: writer.next(batch, !isLast), isLast };
      if (isLast) {
        return;
      }
    }
    yield {
      json: writer.next({ completed: failed(undefined, [...open]), pending: [] }, false),
      isLast: true,
    };
  } catch (reason) {
    yield { json: writer.next({ completed: failed(reason, [...open]), pending: [] }, false), isLast: true };
  }
}

/** Writes the members of parts. */
interface PartWriter {
  first(data: string, errors: readonly GraphQLFormattedError[], pending: readonly DeferredFragment[]): string;
  next(batch: ShownBatch, hasNext: boolean): string;
}

/** Incremental delivery v0.1: each fragment of each object is one entry, at its path. */
const writerOf20220824: PartWriter = {
  first: (data, errors) => `{"data":${data}${errorsMember(errors)},"hasNext":true}`,
  next({ completed }, hasNext) {
    const entries = completed.map(
      ({ fragment: { label, path }, data, errors }) =>
        `{${labelMember(label)}"path":${JSON.stringify(path)},"data":${data}${errorsMember(errors)}}`,
    );
    return `{"hasNext":${hasNext}${listMember('incremental', entries)}}`;
  },
};

/** Incremental delivery v0.2: fragments are announced, delivered and completed by an identifier. */
function currentWriter(): PartWriter {
  const ids = new Map<DeferredFragment, string>();
  let count = 0;
  const announce = (fragments: readonly DeferredFragment[]): string =>
    listMember(
      'pending',
      fragments.map((fragment) => {
        const id = String(count);
        count += 1;
        ids.set(fragment, id);
        return `{"id":"${id}",${labelMember(fragment.label)}"path":${JSON.stringify(fragment.path)}}`;
      }),
    );
  return {
    first: (data, errors, pending) =>
      `{"data":${data}${errorsMember(errors)}${announce(pending)},"hasNext":true}`,
    next({ completed, pending }, hasNext) {
      const announced = announce(pending);
      const delivered = completed.flatMap(({ fragment, data, errors }) =>
        data === 'null' ? [] : [`{"id":"${ids.get(fragment)}","data":${data}${errorsMember(errors)}}`],
      );
      const ended = completed.map(({ fragment, data, errors }) => {
        const id = `"id":"${ids.get(fragment)}"`;
        ids.delete(fragment);
        return `{${id}${data === 'null' ? errorsMember(errors) : ''}}`;
      });
      return `{"hasNext":${hasNext}${announced}${listMember('incremental', delivered)}${listMember('completed', ended)}}`;
    },
  };
}

function labelMember(label: string | undefined): string {
  return label === undefined ? '' : `"label":${JSON.stringify(label)},`;
}

function errorsMember(errors: readonly GraphQLFormattedError[]): string {
  return errors.length === 0 ? '' : `,"errors":${JSON.stringify(errors)}`;
}

function listMember(name: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : `,"${name}":[${entries.join()}]`;
}

export interface DeferredRequest extends CodableRequest {
  readonly format: DeferFormat;
}

/**
 * The response with a deferred result: its parts, each sent as soon as it is there. It is not cached, as it depends on
 * the time.
 *
 * Contract: section 9.
 */
export function deferredResponse(
  request: DeferredRequest,
  parts: ShownParts,
  compression: Compression,
): HttpResponse | Promise<HttpResponse> {
  const { format, headers } = request;
  const texts = framed(deferredParts(format, parts));
  // The length of the whole is unknown.
  const isCodable = mayBeCoded(request, Number.POSITIVE_INFINITY, compression);
  const coding = isCodable ? preferredCoding(headers['accept-encoding']) : undefined;
  const response = {
    status: 200,
    headers: {
      'Content-Type': multipartType(parameters[format]),
      ...uncachedFields(headers.authorization !== undefined, isCodable),
      // nginx holds responses back otherwise.
      'X-Accel-Buffering': 'no',
    },
    body: texts,
  };
  return inCoding(response, coding);
}

const parameters = {
  'defer-20220824': 'deferSpec=20220824',
  'defer-v0.2': 'incrementalSpec=v0.2',
} as const satisfies Record<DeferFormat, string>;
