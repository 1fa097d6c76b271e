import { jsonMembers, stringAt, wholeOf } from '../../json/json-members.ts';

/** A call of a subgraph. Its verifier is not checked yet. */
export interface SubgraphCallback {
  readonly action: 'check' | 'next' | 'complete';
  readonly id: string;
  readonly verifier: string;
  /** Of `next`: a GraphQL response as JSON. */
  readonly payload: Buffer | undefined;
  /** Of `complete`: a list of GraphQL errors as JSON. */
  readonly errors: string | undefined;
}

/** Reads a call of Apollo's HTTP callback protocol 1.0; undefined for anything else. */
export function readCallback(body: Buffer): SubgraphCallback | undefined {
  const members = jsonMembers(body, wholeOf(body));
  const textOf = (name: string): string | undefined => stringAt(body, members?.get(name));
  const [action, id, verifier] = [textOf('action'), textOf('id'), textOf('verifier')];
  const payload = members?.get('payload');
  const errors = members?.get('errors');
  if (
    textOf('kind') !== 'subscription' ||
    id === undefined ||
    verifier === undefined ||
    (action !== 'check' && action !== 'complete' && (action !== 'next' || payload === undefined))
  ) {
    return undefined;
  }
  return {
    action,
    id,
    verifier,
    payload: payload && body.subarray(payload.start, payload.end),
    errors: errors && body.toString('utf8', errors.start, errors.end),
  };
}
