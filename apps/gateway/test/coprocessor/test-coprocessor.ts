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

/** Gives the response to a message: an object as JSON, a text as it is. Undefined for the message itself. */
export type Respond = (message: CoprocessorMessage) => unknown;

/** A coprocessor that says what its test tells it to say. */
export interface TestCoprocessor extends LoopbackServer {
  readonly received: CoprocessorMessage[];
  /** The header fields of the requests. */
  readonly fields: IncomingHttpHeaders[];
  /** Responds to each message with itself from now on, and forgets what it received. */
  reset(): void;
  respond(how: Respond): void;
  /** The messages of a stage. */
  at(stage: string): readonly CoprocessorMessage[];
}

export async function startCoprocessor(): Promise<TestCoprocessor> {
  const received: CoprocessorMessage[] = [];
  const fields: IncomingHttpHeaders[] = [];
  let respond: Respond | undefined;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message = JSON.parse(await text(request)) as CoprocessorMessage;
    received.push(structuredClone(message));
    fields.push(request.headers);
    const responded = (await respond?.(message)) ?? message;
    response.setHeader('Content-Type', 'application/json');
    response.end(typeof responded === 'string' ? responded : JSON.stringify(responded));
  };
  const server = await listenOnLoopback((request, response) => void serve(request, response));
  return {
    ...server,
    received,
    fields,
    respond: (how) => void (respond = how),
    at: (stage) => received.filter((message) => message.stage === stage),
    reset() {
      respond = undefined;
      received.length = 0;
      fields.length = 0;
    },
  };
}
