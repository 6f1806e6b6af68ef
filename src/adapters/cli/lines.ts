// JSON Lines from a stream. readline would also split at U+2028, which JSON permits inside a string.

/** Maximum characters of a line; the client's own limit for a message is far below. */
export const maxLine = 33_554_432;

/** Only a line feed ends a line. Yields null for a line that is too long. */
export async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string | null> {
  input.setEncoding('utf8');
  let partial: string[] = [];
  let length = 0;
  for await (const chunk of input as AsyncIterable<string>) {
    const parts = chunk.split('\n');
    for (const [index, part] of parts.entries()) {
      length += part.length;
      if (length <= maxLine) partial.push(part);
      if (index === parts.length - 1) continue;
      yield length > maxLine ? null : partial.join('');
      partial = [];
      length = 0;
    }
  }
  if (length > 0) yield length > maxLine ? null : partial.join('');
}
