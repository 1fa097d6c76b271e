import type { Logger, TraceContext } from '@meridian/telemetry';
import type { SentContext } from '@meridian/router-config';

import type { RequestFacts } from '../selectors/request-facts.ts';
import {
  contextEntries,
  contextValue,
  currentContextName,
  earlierContextName,
} from '../selectors/context-values.ts';
import type { EarlyResponse, StageContext, StageHeaders, StageMessage } from '../stages/messages.ts';
import { Message } from '../stages/request-stages.ts';
import { StageRuleError, refusedOfResponse } from '../stages/stage-headers.ts';
import type { CoprocessorMetrics } from '../telemetry/coprocessor-metrics.ts';
import type { CoprocessorStage, Reply, SentMessage } from './call-coprocessor.ts';
import { readReply, writeMessage } from './call-coprocessor.ts';
import type { CoprocessorClient } from './coprocessor-client.ts';
import type { GraphqlResponse } from './graphql-response.ts';

export interface CoprocessorParts {
  readonly client: CoprocessorClient;
  readonly metrics: CoprocessorMetrics;
  /** The header fields by which the coprocessor continues a trace; absent where none are sent. */
  readonly traceFields: ((trace: TraceContext) => Readonly<Record<string, string>>) | undefined;
  readonly logger: Logger;
}

/** The message of a stage, and the use of its answer. */
export interface StageCall<Result> {
  readonly stage: CoprocessorStage;
  readonly url: string;
  readonly sent: SentMessage;
  readonly apply: (reply: Reply) => Result;
}

/** Sends messages to coprocessors, and applies their answers. */
export type CoprocessorExchange = <Result>(message: StageMessage, call: StageCall<Result>) => Promise<Result>;

/** @returns a function that rejects where the coprocessor fails, and where its answer breaks the protocol */
export function createExchange({ client, metrics, traceFields }: CoprocessorParts): CoprocessorExchange {
  return async (message, { stage, url, sent, apply }) => {
    const { signal, context, recorder } = Message.requestOf(message).request;
    const observed = recorder?.onCoprocessorCall(stage, url);
    let hasSucceeded = false;
    try {
      const startMs = performance.now();
      let text: string;
      try {
        const headers = observed?.headers ?? traceFields?.(context.trace) ?? {};
        text = await client.post(url, writeMessage(stage, sent), { headers, signal });
      } finally {
        metrics.onResponse(stage, performance.now() - startMs);
      }
      const result = apply(readReply(text, stage));
      hasSucceeded = true;
      return result;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      metrics.onOutcome(stage, hasSucceeded);
      observed?.end(hasSucceeded);
    }
  };
}

/** True for values that are the same JSON. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Header fields as a coprocessor gets them. */
export function fieldsOf(
  headers: Iterable<readonly [name: string, value: string]>,
): Readonly<Record<string, readonly string[]>> {
  const entries = Map.groupBy(headers, ([name]) => name);
  return Object.fromEntries(Array.from(entries, ([name, all]) => [name, all.map(([, value]) => value)]));
}

/**
 * Replaces the header fields of a message by an answer’s. Fields that belong to the gateway stay as they are.
 *
 * @param isOwn true for a field of the gateway, which no answer can set
 */
export function replaceFields(
  headers: StageHeaders,
  { headers: fields }: Reply,
  isOwn: (name: string) => boolean,
): void {
  if (fields === undefined) {
    return;
  }
  for (const [name] of headers) {
    if (!fields.has(name)) {
      change(() => headers.delete(name), true);
    }
  }
  for (const [name, values] of fields) {
    change(() => headers.set(name, joined(name, values)), isOwn(name));
  }
}

/** Cookies of a response stay apart: their values may contain commas. */
function joined(name: string, values: readonly string[]): string | readonly string[] {
  return name === 'set-cookie' ? values : values.join(name === 'cookie' ? '; ' : ', ');
}

function change(apply: () => void, isIgnored: boolean): void {
  try {
    apply();
  } catch (error) {
    if (!(error instanceof StageRuleError) || !isIgnored) {
      throw error;
    }
  }
}

/** The context of a request as a coprocessor gets it, by the names that it knows. Undefined where none is sent. */
export type SentEntries = ReadonlyMap<string, unknown> | undefined;

export function sentEntries(facts: RequestFacts, sent: SentContext): SentEntries {
  if (sent === undefined) {
    return undefined;
  }
  if (typeof sent === 'string') {
    const entries = contextEntries(facts);
    return sent === 'all'
      ? entries
      : new Map(Array.from(entries, ([name, value]) => [earlierContextName(name), value]));
  }
  return new Map(
    sent.map((name) => [name, contextValue(facts, name)] as const).filter(([, value]) => value !== undefined),
  );
}

/**
 * Takes the context of an answer over.
 *
 * @param deletes true where an entry that is not in the answer ends: at the stages of responses
 */
export function replaceContext(
  context: StageContext,
  { context: returned }: Reply,
  { sent, conf, deletes }: { sent: SentEntries; conf: SentContext; deletes: boolean },
): void {
  if (returned === undefined) {
    return;
  }
  const nameOf = (key: string): string => (conf === 'deprecated' ? currentContextName(key) : key);
  for (const [key, value] of Object.entries(returned)) {
    if (!isSame(sent?.get(key), value)) {
      context.set(nameOf(key), value);
    }
  }
  if (deletes) {
    for (const key of sent?.keys() ?? []) {
      if (!Object.hasOwn(returned, key)) {
        context.delete(nameOf(key));
      }
    }
  }
}

/** The end of a request by an answer; undefined where it goes on. */
export function endingOf(
  reply: Reply,
  sentHeaders: SentMessage['headers'],
  response: () => GraphqlResponse,
): EarlyResponse | undefined {
  const { control, headers = new Map<string, readonly string[]>() } = reply;
  if (control === undefined || control === 'continue') {
    return undefined;
  }
  // An answer that is the message again, but for its control, has the fields of the request.
  const fields = [...headers].filter(([name, values]) => {
    const text = values.join(', ');
    return name === 'content-type'
      ? text !== ''
      : sentHeaders?.[name]?.join(', ') !== text && refusedOfResponse(name, text) === undefined;
  });
  return {
    status: control.break,
    headers: Object.fromEntries(fields.map(([name, values]) => [name, joined(name, values)])),
    body: JSON.stringify(response()),
  };
}
