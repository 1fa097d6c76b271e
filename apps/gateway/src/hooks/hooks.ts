import type {
  EarlyResponse,
  ExecutionRequest,
  ResultMessage,
  RouterRequest,
  RouterResponse,
  SubgraphRequestMessage,
  SubgraphResponseMessage,
  SupergraphRequest,
} from '../stages/messages.ts';

export type {
  EarlyResponse,
  ExecutionRequest,
  ResultMessage,
  RouterRequest,
  RouterResponse,
  StageCaller,
  StageContext,
  StageError,
  StageHeaders,
  StageMessage,
  SubgraphRequestMessage,
  SubgraphResponseMessage,
  SupergraphRequest,
} from '../stages/messages.ts';

// `void`, so that a hook need not return anything.
type Ends = EarlyResponse | undefined | void;
type Nothing = undefined | void;

/** Code before and after a stage. It changes the message; a request's may end it by returning a response. */
interface Stage<Request, Response> {
  request?(message: Request): Ends | Promise<Ends>;
  response?(message: Response): Nothing | Promise<Nothing>;
}

/** The default export of a file that `meridian.hooks` names. */
export interface Hooks {
  /** In the log. Default: the name of the file or package. */
  readonly name?: string;
  readonly router?: Stage<RouterRequest, RouterResponse>;
  readonly supergraph?: Stage<SupergraphRequest, ResultMessage>;
  readonly execution?: Stage<ExecutionRequest, ResultMessage>;
  readonly subgraph?: Stage<SubgraphRequestMessage, SubgraphResponseMessage>;
  /** Called before the first request. The gateway does not start, or keeps the previous hooks, where it fails. */
  start?(): unknown;
  /** Called after the last request, and where `start` fails. The process goes on to its end after 10 seconds. */
  stop?(): unknown;
}
