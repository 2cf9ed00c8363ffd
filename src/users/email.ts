/** Addresses are compared without regard to case or surrounding blanks; this is the form that is stored. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
