import type { Condition, CoprocessorRules, SentContext } from '@meridian/router-config';

import { compileCondition } from '../selectors/compile-condition.ts';
import { notingFacts } from '../selectors/noting-facts.ts';
import type { OnRead } from '../selectors/noting-facts.ts';
import type { RequestFacts, SubgraphFacts } from '../selectors/request-facts.ts';
import type { EarlyResponse, StageHeaders, StageMessage } from '../stages/messages.ts';
import { Message } from '../stages/request-stages.ts';
import { refusedOfClient } from '../stages/stage-headers.ts';
import type { CoprocessorStage, Reply, SentMessage } from './call-coprocessor.ts';
import type { CoprocessorExchange } from './coprocessor-exchange.ts';
import { endingOf, fieldsOf, replaceContext, replaceFields, sentEntries } from './coprocessor-exchange.ts';
import type { GraphqlResponse } from './graphql-response.ts';
import { endingResponse } from './graphql-response.ts';

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

/** Returns undefined for a message that the coprocessor does not get. */
type ViewMessage<Message> = (message: Message) => Eventually<StageView | undefined>;

interface ChangeableHead {
  status?: number;
  readonly headers: StageHeaders;
}

/**
 * The stage of a request: the coprocessor changes the message, or ends the request.
 *
 * @param readers `ending`: the response where it ends the request with a body. `refused`: the reason for which a header
 *   field is not the coprocessor's; undefined for one that is.
 */
export function requestStage<Message extends StageMessage & { readonly headers: StageHeaders }>(
  stage: CoprocessorStage,
  conf: StageConf,
  options: StageOptions,
  readers: {
    readonly view: ViewMessage<Message>;
    readonly ending?: (body: unknown) => GraphqlResponse;
    readonly refused?: (name: string) => string | undefined;
  },
): (message: Message) => Promise<EarlyResponse | undefined> {
  const isValidated = options.rules.response_validation;
  const { view, ending = (body) => endingResponse(body, isValidated), refused = refusedOfClient } = readers;
  return callAt(stage, conf, options, {
    view,
    head: ({ headers }) => ({ headers }),
    isOwn: (name) => refused(name) !== undefined,
    deletesEntries: false,
    endOf: (reply, sent) => endingOf(reply, sent, () => ending(reply.body)),
  });
}

/**
 * The stage of a response: the coprocessor changes the message.
 *
 * @param readers `head`: the status and the fields of the response; undefined once its head is out. Absent where they cannot
 *   be changed.
 */
export function responseStage<Message extends StageMessage>(
  stage: CoprocessorStage,
  conf: StageConf,
  options: StageOptions,
  readers: {
    readonly view: ViewMessage<Message>;
    readonly head?: (message: Message) => Required<ChangeableHead> | undefined;
  },
): (message: Message) => Promise<undefined> {
  return callAt(stage, conf, options, {
    head: () => undefined,
    isOwn: () => true,
    deletesEntries: true,
    endOf: () => undefined,
    ...readers,
  });
}

interface CallRules<Message, End> {
  readonly view: ViewMessage<Message>;
  /** As far as it can be changed. Its fields are sent where the section names them. */
  readonly head: (message: Message) => ChangeableHead | undefined;
  /** True for a header field that belongs to the gateway. */
  readonly isOwn: (name: string) => boolean;
  /** True where an entry of the context ends that is not in the answer. */
  readonly deletesEntries: boolean;
  /** The end of a request by an answer; undefined where it goes on. */
  readonly endOf: (reply: Reply, sent: SentMessage['headers']) => End;
}

function callAt<Message extends StageMessage, End>(
  stage: CoprocessorStage,
  conf: StageConf,
  { rules, exchange, sdl }: StageOptions,
  { view: viewOf, head: headOf, isOwn, deletesEntries, endOf }: CallRules<Message, End>,
): (message: Message) => Promise<End | undefined> {
  const test = conf.condition === undefined ? undefined : compileCondition(conf.condition);
  return async (message) => {
    const view = await viewOf(message);
    if (view === undefined || test?.(view.facts, view.ofSubgraph?.()) === false) {
      return undefined;
    }
    const { sent, replace, check } = await view.content();
    const entries = sentEntries(view.facts, conf.context);
    const fields = conf.headers ? headOf(message)?.headers : undefined;
    const headers = fields && fieldsOf(fields);
    return await exchange(message, {
      stage,
      url: conf.url ?? rules.url,
      sent: {
        id: message.id,
        headers,
        ...sent,
        context: entries && { entries: Object.fromEntries(entries) },
        sdl: conf.sdl === true ? sdl() : undefined,
      },
      apply(reply) {
        const end = endOf(reply, headers);
        if (end === undefined) {
          check?.(reply);
          if (reply.body !== undefined) {
            replace(reply.body);
          }
        }
        // After the body, as in Apollo Router: an answer with an unusable one changes nothing.
        replaceContext(message.context, reply, {
          sent: entries,
          conf: conf.context,
          deletes: deletesEntries,
        });
        const head = end === undefined ? headOf(message) : undefined;
        if (head !== undefined) {
          replaceHead(head, reply, isOwn);
        }
        return end;
      },
    });
  };
}

function replaceHead(head: ChangeableHead, reply: Reply, isOwn: (name: string) => boolean): void {
  const { control } = reply;
  // As in Apollo Router, `continue` asks for the status 200.
  const status = control === 'continue' ? 200 : (control?.break ?? head.status);
  if (head.status !== undefined && status !== undefined && status !== head.status) {
    head.status = status;
  }
  replaceFields(head.headers, reply, isOwn);
}

/** True for a stage that its section names: as in Apollo Router, one that asks for nothing is never called. */
export function isConfigured(stage: Readonly<Record<string, unknown>>): boolean {
  return Object.values(stage).some((value) => value !== false && value !== undefined);
}

/**
 * Facts of the request of a message, with those that the message knows better.
 *
 * @param onRead called for what is read of the client’s request, as caches have to know it. Default: as for all stages
 */
export function overlaid(
  message: StageMessage,
  known: Partial<RequestFacts> = {},
  onRead?: OnRead,
): RequestFacts {
  const request = Message.requestOf(message);
  return notingFacts(request.facts, onRead ?? ((name) => request.onRead(name)), known);
}
