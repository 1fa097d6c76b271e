import './page.css';

import type { GraphData } from '../graph-data.ts';
import { viewAt } from './addresses.ts';
import { element } from './element.ts';
import { listenToKeys } from './keys.ts';
import { createModel } from './model.ts';
import { markCurrent, showResults } from './results.ts';
import { createSearch } from './search.ts';
import { contentOf } from './views/content-of.ts';

const model = createModel(readData());
const search = createSearch(model);

const field = element('input', {
  id: 'search',
  type: 'search',
  placeholder: 'Search types, fields, operations',
  'aria-label': 'Search types, fields, operations',
  'aria-controls': 'results',
  'aria-keyshortcuts': '/',
  autocomplete: 'off',
  spellcheck: 'false',
});
const input = field instanceof HTMLInputElement ? field : document.createElement('input');
const status = element('p', { class: 'quiet', role: 'status' });
const list = element('ul', { id: 'results' });
const main = element('main', { id: 'main' });

document.body.replaceChildren(
  element('a', { class: 'skip', href: '#main' }, 'Skip to the content'),
  element(
    'header',
    {},
    element('a', { href: '#', class: 'title' }, 'Graph'),
    element(
      'div',
      { class: 'search', role: 'search' },
      input,
      element('kbd', { 'aria-hidden': 'true' }, '/'),
    ),
  ),
  element('nav', { 'aria-label': 'Results' }, status, list),
  main,
  element(
    'footer',
    {},
    `Written on ${model.writtenAt.slice(0, 16).replace('T', ' ')} UTC. `,
    element('span', { class: 'keys' }, '/ searches, ↓ ↑ move, Enter opens, Esc goes back to the search.'),
  ),
);

function find(): void {
  showResults(list, status, search(input.value), location.hash);
}

function show(hasFocus: boolean): void {
  main.replaceChildren(element('article', {}, contentOf(model, viewAt(location.hash))));
  const heading = main.querySelector<HTMLElement>('h1');
  document.title = `${heading?.textContent ?? 'Graph'} · Graph`;
  markCurrent(list, location.hash);
  main.scrollTop = 0;
  scrollTo(0, 0);
  if (hasFocus) {
    heading?.focus({ preventScroll: true });
  }
}

input.addEventListener('input', find);
addEventListener('hashchange', () => {
  if (location.hash === '#main') {
    main.querySelector<HTMLElement>('h1')?.focus();
  } else {
    show(true);
  }
});
listenToKeys({
  search: input,
  list,
  main,
  clear() {
    input.value = '';
    find();
  },
});
find();
show(false);

function readData(): GraphData {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- page and data are of one file
  return JSON.parse(document.querySelector('#data')?.textContent ?? '') as GraphData;
}
