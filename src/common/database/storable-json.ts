/** PostgreSQL stores neither NUL nor half a surrogate pair; mail headers hold both now and then. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** JSON that a `jsonb` parameter takes whatever the strings in `value` hold. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'string' ? storableText(field) : field,
  );
}
