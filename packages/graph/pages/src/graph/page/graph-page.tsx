import './page.css';

import type { ReactElement } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';

import { count, figure } from '../../format-values.ts';
import { useModel } from './model.ts';
import { createSearch } from './search.ts';
import { Content } from './views/content.tsx';

/** More are not shown: a longer text finds them. */
const maxEntries = 300;

const searchLabel = 'Search types, fields, operations';

/** The search with its results, and the content at the address. */
export function GraphPage(): ReactElement {
  const model = useModel();
  const search = useMemo(() => createSearch(model), [model]);
  const [text, setText] = useState('');
  const [address, setAddress] = useState(location.hash);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const main = useRef<HTMLElement>(null);
  const entries = useMemo(() => search(text), [search, text]);

  const focusHeading = (): void => main.current?.querySelector('h1')?.focus({ preventScroll: true });

  useEffect(() => {
    const follow = (): void => {
      if (location.hash === '#main') {
        focusHeading();
      } else {
        setAddress(location.hash);
      }
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${main.current?.querySelector('h1')?.textContent ?? 'Graph'} · Graph`;
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    main.current?.scrollTo(0, 0);
    scrollTo(0, 0);
    // The focus goes along, for screen readers.
    if (!isFirst.current) {
      focusHeading();
    }
    isFirst.current = false;
  }, [address]);

  useEffect(() => {
    const follow = (event: KeyboardEvent): void => {
      const focused = document.activeElement;
      const isInSearch = focused === input.current;
      const links = [...(list.current?.querySelectorAll('a') ?? [])];
      const place = links.findIndex((link) => link === focused);
      if (event.altKey || event.ctrlKey || event.metaKey) {
        return;
      }
      if (event.key === 'Escape' && isInSearch && text !== '') {
        setText('');
      } else if (event.key === 'Escape' && isInSearch) {
        focusHeading();
      } else if (event.key === 'Escape' || (event.key === '/' && !isInSearch)) {
        input.current?.select();
      } else if (event.key === 'Enter' && isInSearch) {
        links[0]?.click();
      } else if (event.key === 'ArrowDown' && (isInSearch || place !== -1)) {
        links[place + 1]?.focus();
      } else if (event.key === 'ArrowUp' && place !== -1) {
        (links[place - 1] ?? input.current)?.focus();
      } else if ((event.key === 'Home' || event.key === 'End') && place !== -1) {
        links.at(event.key === 'Home' ? 0 : -1)?.focus();
      } else {
        return;
      }
      event.preventDefault();
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  }, [text]);

  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <a href="#" className="title">
          Graph
        </a>
        <div className="search" role="search">
          <input
            ref={input}
            id="search"
            type="search"
            placeholder={searchLabel}
            aria-label={searchLabel}
            aria-controls="results"
            aria-keyshortcuts="/"
            autoComplete="off"
            spellCheck="false"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
      </header>
      <nav aria-label="Results">
        <p className="quiet" role="status">
          {entries.length > maxEntries
            ? `${figure(maxEntries)} of ${figure(entries.length)}; type more to narrow the list`
            : count(entries.length, 'entry', 'entries')}
        </p>
        <ul id="results" ref={list}>
          {entries.slice(0, maxEntries).map((entry) => (
            <li key={entry.address}>
              <a
                href={entry.address}
                title={entry.label}
                className={entry.isDeprecated ? 'is-deprecated' : undefined}
                aria-current={entry.address === address ? 'page' : undefined}
              >
                <span className="label">{entry.label}</span>
                <span className="kind">{entry.kind}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="main" ref={main}>
        <article>
          <Content key={address} address={address} />
        </article>
      </main>
      <footer>
        Written on {model.writtenAt.slice(0, 16).replace('T', ' ')} UTC.{' '}
        <span className="keys">/ searches, ↓ ↑ move, Enter opens, Esc goes back to the search.</span>
      </footer>
    </>
  );
}
