import type { AppConfig, ProviderLimits } from '../../platform/config/app-config';

/** Limits of a provider, by its wire name, e.g. `imap`. */
export function limitsOf(config: Pick<AppConfig, 'provider' | 'imap'>, provider: string): ProviderLimits {
  if (provider === 'gmail') return config.provider;
  if (provider === 'imap') return config.imap.limits;
  throw new Error(`No limits are configured for the provider ${provider}`);
}

/** Quota units of one call. */
export function unitCost(limits: ProviderLimits, endpoint: string): number {
  const cost = limits.unitCosts[endpoint] ?? limits.defaultUnitCost;
  if (cost === null) throw new Error(`No quota units are configured for ${endpoint}`);
  return cost;
}
