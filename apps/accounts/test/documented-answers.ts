import { type AnswerChecker, createAnswerChecker, type ObservedAnswer } from '@meridian/testing/openapi';
import type { Response, Test } from 'supertest';

/** Makes a request fail when its answer is not as the OpenAPI document of the service says. */
export type ExpectDocumented = (test: Test) => void;

/** @param url of the service, which serves the document */
export async function documentedAnswers(url: string): Promise<ExpectDocumented> {
  const checker = await checkerOf(url);
  return (test) => {
    test.expect((response: Response) => {
      expectDocumented(checker, {
        method: test.method,
        target: test.url.slice(url.length),
        status: response.status,
        headers: response.headers,
        // HEAD has none.
        body: response.text ?? '',
      });
    });
  };
}

/** `fetch` from the service, which rejects when the answer is not as the OpenAPI document of the service says. */
export type DocumentedFetch = (
  target: string,
  init?: RequestInit,
) => Promise<{ status: number; headers: Headers; text: string }>;

export async function documentedFetch(url: string): Promise<DocumentedFetch> {
  const checker = await checkerOf(url);
  return async (target, init) => {
    const response = await fetch(url + target, init);
    const { status, headers } = response;
    const text = await response.text();
    const method = init?.method ?? 'GET';
    expectDocumented(checker, { method, target, status, headers: Object.fromEntries(headers), body: text });
    return { status, headers, text };
  };
}

async function checkerOf(url: string): Promise<AnswerChecker> {
  const response = await fetch(`${url}/openapi.json`);
  return createAnswerChecker(await response.text());
}

function expectDocumented(checker: AnswerChecker, answer: ObservedAnswer): void {
  const faults = checker.faultsOf(answer);
  if (faults.length > 0) throw new Error(`not as documented:\n${faults.join('\n')}`);
}
