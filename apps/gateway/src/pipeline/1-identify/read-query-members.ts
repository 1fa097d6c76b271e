import { refusal } from '../../refusal.ts';
import type { UncheckedMembers } from './request-members.ts';

/**
 * Reads the members from the query string of a GET, where `variables` and `extensions` are JSON.
 *
 * @throws {Refusal} BAD_REQUEST where they are not
 */
export function readQueryMembers(target: string): UncheckedMembers {
  const start = target.indexOf('?');
  const parameters = new URLSearchParams(start === -1 ? '' : target.slice(start));
  const members = {
    query: parameters.get('query'),
    documentId: parameters.get('documentId'),
    operationName: parameters.get('operationName'),
    variables: jsonAt(parameters, 'variables'),
    extensions: jsonAt(parameters, 'extensions'),
  };
  const namesNothing = [members.query, members.documentId, members.extensions].every((value) => !value);
  // The others matter only to the message that no operation is named.
  return namesNothing ? { ...Object.fromEntries(parameters), ...members } : members;
}

function jsonAt(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name) ?? '';
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    throw refusal('BAD_REQUEST', `\`${name}\` is not valid JSON`);
  }
}
