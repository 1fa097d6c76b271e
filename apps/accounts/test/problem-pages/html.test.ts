import { describe, expect, it } from '@jest/globals';

import { Html, html } from '../../src/problem-pages/html.ts';

describe('The html template tag', () => {
  it('escapes interpolated values', () => {
    expect(html`<p title="${'"'}">${`<b>&'`}</p>`.text).toBe('<p title="&#34;">&#60;b&#62;&#38;&#39;</p>');
  });

  it('leaves HTML unescaped, also in a list', () => {
    const items = [html`<b>${1}</b>`, new Html('<b>2</b>')];
    expect(html`<p>${items}</p>`.text).toBe('<p><b>1</b><b>2</b></p>');
  });
});
