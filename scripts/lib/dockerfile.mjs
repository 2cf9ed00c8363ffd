/**
 * @typedef {{ keyword: string, flags: Record<string, string>, value: string, list: string[] | null }} Instruction
 * `list` is the value of the JSON form (`CMD ["node", "x.js"]`), otherwise null.
 */

/**
 * Reads the instructions of a Dockerfile, stage by stage. Understands what ours uses: comments, `\`
 * continuations, `--flag=value` and the JSON form.
 *
 * @returns {{ name: string | null, instructions: Instruction[] }[]}
 */
export function parseDockerfile(text) {
  const logical = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n/g, ' ');
  const stages = [];
  for (const line of logical
    .split('\n')
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [, keyword, rest] = /^(\S+)\s+(.*)$/.exec(line);
    const flags = {};
    let value = rest;
    for (let flag; (flag = /^--([\w-]+)=(\S+)\s+/.exec(value)); value = value.slice(flag[0].length)) {
      flags[flag[1]] = flag[2];
    }
    if (keyword === 'FROM') {
      stages.push({ name: / AS (\S+)$/i.exec(value)?.[1] ?? null, instructions: [] });
      continue;
    }
    const json = /\[.*\]$/.exec(value)?.[0];
    stages.at(-1).instructions.push({ keyword, flags, value, list: json ? JSON.parse(json) : null });
  }
  return stages;
}
