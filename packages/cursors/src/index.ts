export { createCursors, type CursorScope, type Cursors } from './cursors.ts';
