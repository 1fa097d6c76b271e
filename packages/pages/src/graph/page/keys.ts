/** The parts of the page that keys move between. */
export interface KeyTargets {
  readonly search: HTMLInputElement;
  readonly list: HTMLElement;
  readonly main: HTMLElement;
  /** Empties the search. */
  readonly clear: () => void;
}

/** `/` and Esc lead to the search, arrows through the list, Enter opens an entry as any link. */
export function listenToKeys({ search, list, main, clear }: KeyTargets): void {
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const focused = document.activeElement;
    const isInSearch = focused === search;
    const isInList = focused instanceof HTMLElement && list.contains(focused);
    const act = actionFor(event.key);
    if (act?.() === true) {
      event.preventDefault();
    }

    function actionFor(key: string): (() => boolean) | undefined {
      switch (key) {
        case '/':
          return isInSearch ? undefined : () => focusSearch(search);
        case 'Escape':
          return () => {
            if (isInSearch && search.value === '') {
              main.querySelector<HTMLElement>('h1')?.focus();
            } else if (isInSearch) {
              clear();
            } else {
              focusSearch(search);
            }
            return true;
          };
        case 'Enter':
          return isInSearch ? () => open(list.querySelector('a')) : undefined;
        case 'ArrowDown':
          return isInSearch || isInList ? () => move(1) : undefined;
        case 'ArrowUp':
          return isInList ? () => move(-1) : undefined;
        case 'Home':
        case 'End':
          return isInList ? () => focus(links().at(key === 'Home' ? 0 : -1)) : undefined;
        default:
          return undefined;
      }
    }

    function links(): readonly HTMLElement[] {
      return [...list.querySelectorAll('a')];
    }

    function move(by: number): boolean {
      const all = links();
      const next = isInList && focused instanceof HTMLElement ? all.indexOf(focused) + by : 0;
      return next < 0 ? focusSearch(search) : focus(all[next]);
    }
  });
}

function focusSearch(search: HTMLInputElement): boolean {
  search.focus();
  search.select();
  return true;
}

function focus(target: HTMLElement | undefined): boolean {
  target?.focus();
  return true;
}

function open(entry: HTMLElement | null): boolean {
  entry?.click();
  return true;
}
