import { createAnswerChecker } from '@meridian/testing/openapi';
import type { Response, Test } from 'supertest';

/** Makes a request fail when its answer is not as the OpenAPI document of the service says. */
export type ExpectDocumented = (test: Test) => void;

/** @param url of the service, which serves the document */
export async function documentedAnswers(url: string): Promise<ExpectDocumented> {
  const checker = createAnswerChecker(await (await fetch(`${url}/openapi.json`)).text());
  return (test) => {
    test.expect((response: Response) => {
      const faults = checker.faultsOf({
        method: test.method,
        target: test.url.slice(url.length),
        status: response.status,
        headers: response.headers,
        body: response.text ?? '',
      });
      if (faults.length > 0) throw new Error(`not as documented:\n${faults.join('\n')}`);
    });
  };
}
