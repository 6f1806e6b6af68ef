// The list in a plan that is written as Markdown.
import { expect, test } from 'vitest';
import { planOfMarkdown } from '../../../src/workflow/plan/input.ts';

test.each<[string, string, string, string[]]>([
  ['a numbered list under a heading', '# Title\n\nText\n\n1. One\n   - sub\n2) Two\n', 'Title', ['One', 'Two']],
  ['check boxes', '- [ ] one\n- [x] two\n* three', '', ['one', 'two', 'three']],
  ['a list that is indented as a whole', '## Steps\n  - one\n    - sub\n  - two', 'Steps', ['one', 'two']],
  ['lists in code', '# T\n```\n- not this\n```\n- this', 'T', ['this']],
  ['lines across the page', '# T\n- a\n\n* * *\n\n- b\n\n- - -\n\n---\n', 'T', ['a', 'b']],
  ['numbers at the right', '# T\n 9. nine\n    - sub\n10. ten\n', 'T', ['nine', 'ten']],
  ['no list', '# Title\n\nJust do it.', 'Title', ['Title']],
  ['nothing but text', 'Just do it.', '', ['The plan']],
  ['characters that cannot be seen', '- a\u202eb\u0007c', '', ['a b c']],
  ['a long item', `- ${'x'.repeat(600)}`, '', ['x'.repeat(500)]],
  ['more items than a plan has', `# T\n${'- a\n'.repeat(101)}`, 'T', ['T']],
  ['other line ends', '# T\r\n- a\r\n- b\r\n', 'T', ['a', 'b']],
])('%s', (_, text, title, items) => {
  expect(planOfMarkdown(text)).toEqual({ title, items: items.map((item) => ({ text: item, files: [] })) });
});
