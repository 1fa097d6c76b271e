import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import type { LoopbackServer } from '@meridian/testing';
import { listenOnLoopback } from '@meridian/testing';

/** A message of the gateway. */
export interface CoprocessorMessage {
  readonly version: 1;
  readonly stage: string;
  readonly id: string;
  control?: unknown;
  headers?: Record<string, string[]>;
  body?: unknown;
  context?: { entries: Record<string, unknown> };
  readonly [member: string]: unknown;
}

/** Gives the answer to a message: an object as JSON, a text as it is. Undefined for the message itself. */
export type Answer = (message: CoprocessorMessage) => unknown;

/** A coprocessor that says what its test tells it to say. */
export interface TestCoprocessor extends LoopbackServer {
  readonly received: CoprocessorMessage[];
  /** The header fields of the requests. */
  readonly fields: IncomingHttpHeaders[];
  /** Answers each message with itself from now on, and forgets what it received. */
  reset(): void;
  answer(how: Answer): void;
  /** The messages of a stage. */
  at(stage: string): readonly CoprocessorMessage[];
}

export async function startCoprocessor(): Promise<TestCoprocessor> {
  const received: CoprocessorMessage[] = [];
  const fields: IncomingHttpHeaders[] = [];
  let answer: Answer | undefined;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message = JSON.parse(await text(request)) as CoprocessorMessage;
    received.push(structuredClone(message));
    fields.push(request.headers);
    const answered = (await answer?.(message)) ?? message;
    response.setHeader('Content-Type', 'application/json');
    response.end(typeof answered === 'string' ? answered : JSON.stringify(answered));
  };
  const server = await listenOnLoopback((request, response) => void respond(request, response));
  return {
    ...server,
    received,
    fields,
    answer: (how) => void (answer = how),
    at: (stage) => received.filter((message) => message.stage === stage),
    reset() {
      answer = undefined;
      received.length = 0;
      fields.length = 0;
    },
  };
}
