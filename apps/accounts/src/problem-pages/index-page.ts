import { problemKinds } from '@meridian/problem-details';

import { html } from './html.ts';
import { page } from './page.ts';

/** All kinds of problem, by status. */
export function indexPage(): string {
  const kinds = Object.entries(problemKinds).toSorted(([, one], [, other]) => one.status - other.status);
  const rows = kinds.map(
    ([kind, { status, title, cause }]) =>
      html`<tr>
        <td>${status}</td>
        <th scope="row"><a href="problems/${kind}">${title}</a></th>
        <td>${cause}</td>
      </tr> `,
  );
  return page({
    title: 'All kinds',
    description: 'Every kind of problem that the services of Meridian answer with.',
    root: './',
    main: html`<h1>Problems</h1>
      <table>
        <caption>
          Every kind of problem that the services of Meridian answer with, by HTTP status.
        </caption>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Kind</th>
            <th scope="col">Why it happens</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>`,
  });
}
