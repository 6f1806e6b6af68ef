// OPA functions that the evaluator does not have, and their replacements. The compiler refuses all of them.

const ALTERNATIVES: readonly (readonly [name: RegExp, instead: string])[] = [
  [/^strings\.render_template$/, 'Write the text with its values in it: $"{x} of {y}", or use sprintf.'],
  [/^regex\.find_n$/, 'regex.find_all_string_submatch_n(pattern, text, n) gives the same, each match in an array of its own.'],
  [/^regex\.split$/, 'split(text, delimiter) for a literal delimiter; regex.find_all_string_submatch_n for the parts between.'],
  [/^(regex\.(globs_match|template_match)|re_match)$/, 'Use regex.match(pattern, text).'],
  [/^strings\.count$/, 'Write count(split(text, part)) - 1.'],
  [/^strings\.split_n$/, 'Use split(text, delimiter) and array.slice.'],
  [/^indexof_n$/, 'indexof(text, part) gives the first; split(text, part) gives what lies between all of them.'],
  [/^glob\./, 'Write the path in a settings rule, such as Write(src/**), or use startswith, endswith and regex.match.'],
  [
    /^time\./,
    'There are time.now_ns and time.parse_rfc3339_ns, in nanoseconds: an hour is 3600000000000, and floor(ns / 86400000000000) % 7 is 0 on a Thursday (UTC).',
  ],
  [/^(rand\.|uuid\.rfc4122$)/, 'What is decided again must come out the same: decide by what the call is.'],
  [
    /^(http\.send|net\.lookup_ip_addr|opa\.runtime|providers\.)/,
    'A decision reads nothing but its input and data.rules: put what it needs to know into the policy.',
  ],
  [/^json\.(marshal|marshal_with_options)$/, 'sprintf("%v", [x]) writes any value, sprintf("%q", [x]) quotes a text.'],
  [/^json\.(filter|remove)$/, 'object.filter(x, keys) and object.remove(x, keys), or a comprehension for what lies below.'],
  [
    /^(json\.(unmarshal|is_valid)|base64(url)?\.(decode|is_valid))$/,
    'The evaluator takes texts for valid that OPA does not: look for what matters with contains, split and regex.match.',
  ],
  [
    /^(crypto|io\.jwt|hex|urlquery|graphql|uri|uuid|units|yaml|json\.(patch|match_schema|verify_schema)|rego)\b/,
    'The evaluator has nothing in its place: decide by the texts and paths in the input.',
  ],
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

/** The remedy for a function that is missing. */
export function insteadOf(name: string): string {
  return ALTERNATIVES.find(([pattern]) => pattern.test(name))?.[1] ?? OTHERWISE;
}
