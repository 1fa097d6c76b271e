import type { Condition, CoprocessorRules, SentContext } from '@meridian/router-config';

import { compileCondition } from '../selectors/compile-condition.ts';
import type { RequestFacts, SubgraphFacts } from '../selectors/request-facts.ts';
import type { EarlyResponse, StageHeaders, StageMessage } from '../stages/messages.ts';
import type { CoprocessorStage, Reply, SentMessage } from './call-coprocessor.ts';
import type { CoprocessorExchange } from './coprocessor-exchange.ts';
import {
  endingOf,
  fieldsOf,
  replaceContext,
  replaceFields,
  sentEntries,
  statusOf,
  writtenContext,
} from './coprocessor-exchange.ts';
import type { GraphqlResponse } from './graphql-response.ts';

export interface StageOptions {
  readonly rules: CoprocessorRules;
  readonly exchange: CoprocessorExchange;
  /** The supergraph's text. */
  readonly sdl: () => string;
}

/** The keys of a stage that are the same for all. */
interface StageConf {
  readonly condition?: Condition | undefined;
  readonly context: SentContext;
  readonly headers: boolean;
  readonly sdl?: boolean;
  readonly url: string | undefined;
}

/** The members of a message that only its stage has, and the use of an answer to them. */
export interface StageContent {
  readonly sent: Omit<Partial<SentMessage>, 'id' | 'context' | 'sdl'>;
  /** Called for an answer with a body. */
  readonly replace: (body: unknown) => void;
  /** Rejects an answer that changes what cannot be changed. */
  readonly check?: (reply: Reply) => void;
}

type Eventually<Value> = Value | Promise<Value>;

/** A message as its stage sees it. */
export interface StageView {
  /** For the condition and the context. */
  readonly facts: RequestFacts;
  readonly ofSubgraph?: () => SubgraphFacts;
  /** Called where the condition holds. */
  readonly content: () => Eventually<StageContent>;
}

interface StageReaders<Message> {
  /** Undefined for a message that the coprocessor does not get. */
  readonly view: (message: Message) => Eventually<StageView | undefined>;
}

interface RequestReaders<Message> extends StageReaders<Message> {
  /** The response where the coprocessor ends the request with a body. */
  readonly ending: (body: unknown) => GraphqlResponse;
  /** The reason for which a header field is not the coprocessor's; undefined for one that is. */
  readonly refused: (name: string) => string | undefined;
}

interface ResponseReaders<Message> extends StageReaders<Message> {
  /** The status and the fields of the response; undefined once its head is out. Absent where they cannot be changed. */
  readonly head?: (message: Message) => ResponseHead | undefined;
}

interface ResponseHead {
  status: number;
  readonly headers: StageHeaders;
}

/** The stage of a request: the coprocessor changes the message, or ends the request. */
export function requestStage<Message extends StageMessage & { readonly headers: StageHeaders }>(
  stage: CoprocessorStage,
  conf: StageConf,
  options: StageOptions,
  { ending, refused, ...readers }: RequestReaders<Message>,
): (message: Message) => Promise<EarlyResponse | undefined> {
  return callAt(stage, conf, options, {
    ...readers,
    headersOf: ({ headers }) => headers,
    apply(message, reply, { replace, replaceEntries, headers }) {
      replaceEntries({ deletes: false });
      const end = endingOf(reply, headers, () => ending(reply.body));
      if (end === undefined) {
        replace();
        replaceFields(message.headers, reply, (name) => refused(name) !== undefined);
      }
      return end;
    },
  });
}

/** The stage of a response: the coprocessor changes the message. */
export function responseStage<Message extends StageMessage>(
  stage: CoprocessorStage,
  conf: StageConf,
  options: StageOptions,
  { head: headOf = () => undefined, ...readers }: ResponseReaders<Message>,
): (message: Message) => Promise<undefined> {
  return callAt<Message, undefined>(stage, conf, options, {
    ...readers,
    headersOf: (message) => headOf(message)?.headers,
    apply(message, reply, { replace, replaceEntries }) {
      replace();
      replaceEntries({ deletes: true });
      const head = headOf(message);
      if (head !== undefined) {
        const status = statusOf(reply) ?? head.status;
        if (status !== head.status) {
          head.status = status;
        }
        replaceFields(head.headers, reply, () => true);
      }
      return undefined;
    },
  });
}

interface CallReaders<Message, End> extends StageReaders<Message> {
  /** The fields that are sent where the section names them. */
  readonly headersOf: (message: Message) => StageHeaders | undefined;
  readonly apply: (message: Message, reply: Reply, call: Call) => End | undefined;
}

interface Call {
  /** Takes the body over. */
  readonly replace: () => void;
  readonly replaceEntries: (rules: { readonly deletes: boolean }) => void;
  /** As they were sent. */
  readonly headers: SentMessage['headers'];
}

function callAt<Message extends StageMessage, End>(
  stage: CoprocessorStage,
  conf: StageConf,
  { rules, exchange, sdl }: StageOptions,
  { view: viewOf, headersOf, apply }: CallReaders<Message, End>,
): (message: Message) => Promise<End | undefined> {
  const test = conf.condition === undefined ? undefined : compileCondition(conf.condition);
  return async (message) => {
    const view = await viewOf(message);
    if (view === undefined || test?.(view.facts, view.ofSubgraph?.()) === false) {
      return undefined;
    }
    const { sent, replace, check } = await view.content();
    const entries = sentEntries(view.facts, conf.context);
    const fields = conf.headers ? headersOf(message) : undefined;
    const headers = fields && fieldsOf(fields);
    return await exchange(message, {
      stage,
      url: conf.url ?? rules.url,
      sent: {
        id: message.id,
        headers,
        ...sent,
        context: writtenContext(entries),
        sdl: conf.sdl === true ? sdl() : undefined,
      },
      apply: (reply) =>
        apply(message, reply, {
          replace() {
            check?.(reply);
            if (reply.body !== undefined) {
              replace(reply.body);
            }
          },
          replaceEntries: ({ deletes }) =>
            replaceContext(message.context, reply, { sent: entries, conf: conf.context, deletes }),
          headers,
        }),
    });
  };
}
