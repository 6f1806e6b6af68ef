// Functions of OPA that the evaluator does not have, and what serves instead. All of them are refused when a policy is compiled.

const ALTERNATIVES: readonly (readonly [name: RegExp, instead: string])[] = [
  [
    /^sprintf$/,
    'Write the text with its values in it: $"{x} of {y}". json.marshal(x) quotes a text; format_int(n, 10) writes a number.',
  ],
  [/^strings\.render_template$/, 'Write the text with its values in it: $"{x} of {y}".'],
  [
    /^regex\.replace$/,
    'strings.replace_n({"old": "new"}, text) replaces literal texts; regex.find_all_string_submatch_n finds by pattern.',
  ],
  [/^regex\.find_n$/, 'regex.find_all_string_submatch_n(pattern, text, n) gives the same, each match in an array of its own.'],
  [/^regex\.split$/, 'split(text, delimiter) for a literal delimiter; regex.find_all_string_submatch_n for the parts between.'],
  [/^(regex\.(globs_match|template_match)|re_match)$/, 'Use regex.match(pattern, text).'],
  [/^strings\.any_prefix_match$/, 'Write `some prefix in prefixes` and `startswith(text, prefix)`.'],
  [/^strings\.any_suffix_match$/, 'Write `some suffix in suffixes` and `endswith(text, suffix)`.'],
  [/^strings\.count$/, 'Write count(split(text, part)) - 1.'],
  [/^strings\.split_n$/, 'Use split(text, delimiter) and array.slice.'],
  [/^indexof_n$/, 'indexof(text, part) gives the first; split(text, part) gives what lies between all of them.'],
  [/^object\.subset$/, 'Write `every key, value in part { whole[key] == value }`; of sets, `part - whole == set()`.'],
  [
    /^semver\./,
    'Split the version at its dots and compare numbers: [to_number(n) | some n in split(version, ".")] orders as versions do.',
  ],
  [/^glob\./, 'Write the path in a settings rule, such as Write(src/**), or use startswith, endswith and regex.match.'],
  [
    /^(time\.|rand\.|uuid\.rfc4122$)/,
    'A decision depends on nothing but the call: what is decided again must come out the same. input.state.since is when the mode began.',
  ],
  [
    /^(http\.send|net\.lookup_ip_addr|opa\.runtime|providers\.)/,
    'A decision reads nothing but its input and data.rules: put what it needs to know into the policy.',
  ],
  [
    /^(crypto|io\.jwt|hex|urlquery|graphql|uri|uuid|units|yaml|json\.(patch|match_schema|verify_schema)|rego)\b/,
    'The evaluator has nothing in its place: decide by the texts and paths in the input.',
  ],
  [/^json\.marshal_with_options$/, 'Use json.marshal(x).'],
  [
    /^net\.cidr_(contains_matches|expand|merge|is_valid|overlap)$/,
    'Use net.cidr_contains(cidr, address) or net.cidr_intersects(a, b).',
  ],
  [/^numbers\.range_step$/, 'Write [n | some n in numbers.range(a, b); n % step == 0].'],
  [/^graph\.reachable_paths$/, 'graph.reachable(graph, initial) gives the nodes without their paths.'],
  [/^(all|any)$/, 'Write `every x in list { x }`, or `true in list`.'],
  [/^cast_|^set_diff$/, 'It is deprecated in OPA: use is_array and the like, or `a - b` for sets.'],
  [/^base64url\.encode_no_pad$/, 'Use trim_right(base64url.encode(x), "=").'],
  [/^trace$/, 'Use print(…): `modes policy test` shows what a failing test prints.'],
];

const OTHERWISE = 'The evaluator has no such function: check the spelling, or express it with one that it has.';

/** What to do about a function that is not there. */
export function insteadOf(name: string): string {
  return ALTERNATIVES.find(([pattern]) => pattern.test(name))?.[1] ?? OTHERWISE;
}
