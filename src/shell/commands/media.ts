// Information about films, pages, and documents, printed on standard output.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable } from '../options.ts';

/** With one of these options, qpdf writes nothing. */
const QPDF_TELLS = ['check', 'show-npages', 'show-encryption', 'show-pages', 'show-xref', 'show-object', 'list-attachments'];

/** Options may come from a file that is named after an at sign. */
function qpdf(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (!has(given, ...QPDF_TELLS)) call.unknown('qpdf writes its last operand');
  if (given.operands.length !== 1) call.unknown('qpdf with more arguments than one file is not understood');
  for (const o of given.operands) {
    if (o.literal === null || /^[-@]/.test(o.literal)) call.unknown(`${o.text} may be options of qpdf`, o);
    else call.read(o, 'qpdf');
  }
}

/** Without a second operand it writes next to the first one. */
function pdftotext(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['single-dash']);
  call.accept(given);
  const [file, out] = given.operands;
  if (file && /^[a-z]+:\/\//i.test(file.lead)) call.url(file);
  else if (file && file.literal !== '-') call.read(file, 'pdftotext');
  if (given.operands.length !== 2 || given.operands.some((o) => o.several))
    call.unknown('the output file of pdftotext is unknown');
  else if (out!.literal !== '-') call.write(out!, 'pdftotext');
}

/** Formats with a reader that never includes other files. */
const PLAIN = /^(?:markdown(?:_\w+)?|gfm|commonmark(?:_x)?|json|native)(?:[+-]\w+)*$/;
const PRINTED =
  /^(?:plain|markdown(?:_\w+)?|gfm|commonmark(?:_x)?|html[45]?|json|native|rst|latex|man|asciidoc|org|mediawiki)(?:[+-]\w+)*$/;

/** Any other format may be a program, and most other documents may include files. */
function pandoc(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  for (const { name, value, arg } of given.options) {
    if (/^(?:f|from|r|read)$/.test(name) && !PLAIN.test(value?.literal ?? ''))
      call.unknown('the input format of pandoc is not understood', arg);
    if (/^(?:t|to|w|write)$/.test(name) && !PRINTED.test(value?.literal ?? ''))
      call.unknown('the output format of pandoc is not understood', arg);
  }
  // The output may include other files, and some formats need another program.
  for (const { name, value, arg } of given.options)
    if (/^o(?:utput)?$/.test(name) && value?.literal !== '-') {
      call.write(value!, 'pandoc -o');
      call.unknown('the files that pandoc includes are unknown', arg);
    }
  const hasFormat = has(given, 'f', 'from', 'r', 'read');
  for (const o of given.operands) {
    // After +RTS come options of its runtime, and some of them write files.
    if (o.literal === null || /^\+|:/.test(o.literal) || !(hasFormat || /\.(?:md|markdown)$/.test(o.literal)))
      call.unknown('the files that pandoc reads are unknown', o);
    else if (o.literal !== '-') call.read(o, 'pandoc');
  }
}

export const media: CommandEntry[] = [
  {
    names: 'ffprobe',
    options:
      '--v: --loglevel: --i: --of: --print_format: --output_format: --select_streams: --show_entries: --show_format --show_streams --show_chapters --show_packets --show_frames --show_programs --show_error --count_frames --count_packets --pretty --unit --sexagesimal --hide_banner',
    style: ['single-dash'],
    handle: (call, t) => {
      const given = call.parse(t, ['single-dash']);
      call.accept(given);
      for (const o of [...given.operands, ...given.options.flatMap(({ name, value }) => (name === 'i' && value ? value : []))]) {
        // The text before a colon is a protocol, and there are many of them.
        if (o.literal === null || o.literal.includes(':')) call.unknown('the file that ffprobe opens is unknown', o);
        else call.read(o, 'ffprobe');
      }
    },
    examples: {
      'ffprobe -v quiet -of json -show_format a.mp4': 'read-only',
      'ffprobe -v error -select_streams v:0 -show_entries stream=width,height -i a.mp4': 'read-only',
      'ffprobe https://a.b/c': 'unknown',
      'ffprobe -i https://a.b/c': 'unknown',
      'ffprobe -o f a.mp4': 'unknown',
      'ffprobe -report a.mp4': 'unknown',
      'ffprobe -f lavfi movie=x': 'unknown',
    },
  },
  {
    names: 'qpdf',
    version: '--version --help',
    options:
      '--check --show-npages --show-encryption --show-pages --show-xref --show-object: --list-attachments --password: --no-warn --warning-exit-0',
    handle: qpdf,
    examples: {
      'qpdf --check a.pdf': 'read-only',
      'qpdf --show-npages --password=x a.pdf': 'read-only',
      'qpdf a.pdf': 'unknown',
      'qpdf --check a.pdf b.pdf': 'unknown',
      'qpdf --check @f': 'unknown',
      'qpdf --check $x': 'unknown',
      'qpdf --check --replace-input a.pdf': 'unknown',
    },
  },
  {
    names: 'pdftotext',
    version: '-v --version -h --help',
    options:
      '--f: --l: --r: --x: --y: --W: --H: --layout --fixed: --raw --nodiag --htmlmeta --tsv --enc: --eol: --nopgbrk --bbox --bbox-layout --cropbox --q',
    style: ['single-dash'],
    handle: pdftotext,
    examples: {
      'pdftotext -layout -f 1 -l 2 a.pdf -': 'read-only',
      'pdftotext a.pdf b.txt': 'writes',
      'pdftotext a.pdf': 'unknown',
      'pdftotext *.pdf': 'unknown',
      'pdftotext *.pdf -': 'unknown',
    },
  },
  {
    names: 'pandoc',
    version: '--version -v --help -h --list-input-formats --list-output-formats --list-extensions',
    options:
      '-f: -r: -t: -w: -o: --output: -sN --from: --read: --to: --write: --standalone --wrap: --columns: --toc --number-sections --no-highlight --quiet',
    handle: pandoc,
    examples: {
      'pandoc a.md -t plain --wrap=none': 'read-only',
      'pandoc -s -f gfm -t html a': 'read-only',
      'pandoc a.md -o a.html': 'unknown',
      'pandoc a.rst': 'unknown',
      'pandoc a.html': 'unknown',
      'pandoc -f html a.md': 'unknown',
      'pandoc -f rst a.md': 'unknown',
      'pandoc -t ./x.lua a.md': 'unknown',
      'pandoc -f gfm a.md +RTS -tplain': 'unknown',
      'pandoc --lua-filter=x a.md': 'unknown',
      'pandoc https://a.invalid/a.md': 'unknown',
    },
  },
];
