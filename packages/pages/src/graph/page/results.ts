import { element } from './element.ts';
import type { Entry } from './search.ts';
import { count, figure } from './format-values.ts';

/** More are not shown: a longer text finds them. */
const maxShown = 300;

/** Shows entries in the list, and says how many there are. */
export function showResults(
  list: HTMLElement,
  status: HTMLElement,
  entries: readonly Entry[],
  current: string,
): void {
  list.replaceChildren(
    ...entries.slice(0, maxShown).map(({ label, kind, address, isDeprecated }) =>
      element(
        'li',
        {},
        element(
          'a',
          {
            href: address,
            title: label,
            class: isDeprecated ? 'is-deprecated' : undefined,
            'aria-current': address === current ? 'page' : undefined,
          },
          element('span', { class: 'label' }, label),
          element('span', { class: 'kind' }, kind),
        ),
      ),
    ),
  );
  status.textContent =
    entries.length > maxShown
      ? `${figure(maxShown)} of ${figure(entries.length)}; type more to narrow the list`
      : count(entries.length, 'entry', 'entries');
}

/** Marks the entry of an address. */
export function markCurrent(list: HTMLElement, address: string): void {
  for (const entry of list.querySelectorAll('a')) {
    if (entry.getAttribute('href') === address) {
      entry.setAttribute('aria-current', 'page');
      entry.scrollIntoView({ block: 'nearest' });
    } else {
      entry.removeAttribute('aria-current');
    }
  }
}
