import './workers.ts';
import 'graphiql/style.css';
import './page.css';

import { createRoot } from 'react-dom/client';

import { Explorer } from './explorer.tsx';
import { loadSession } from './gateway.ts';

const root = createRoot(document.querySelector('#page') ?? document.body);
try {
  root.render(<Explorer session={await loadSession()} />);
} catch {
  root.render(
    <p className="explorer-failure">The gateway does not respond. Start it, and load this page again.</p>,
  );
}
