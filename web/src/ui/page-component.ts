import { lazyRouteComponent, type AsyncRouteComponent } from '@tanstack/react-router';
import { LostPart } from '../api/problems';
import { loadTexts, type PageTexts } from '../i18n/texts';

type Named<Name extends string, Props> = Readonly<Record<Name, (props: Props) => unknown>>;

/**
 * A page whose code and texts are loaded when it is opened. By default, the router reloads the whole client when that fails,
 * also while the service is away, and all that is shown is lost.
 */
export function pageComponent<Name extends string, Props>(
  load: () => Promise<Named<Name, Props>>,
  name: Name,
  ...texts: readonly PageTexts[]
): AsyncRouteComponent<Props> {
  const loadOrSay = async (): Promise<Named<Name, Props>> => {
    try {
      const [page] = await Promise.all([load(), ...texts.map(loadTexts)]);
      return page;
    } catch (cause) {
      throw new LostPart(cause);
    }
  };
  return lazyRouteComponent(loadOrSay, name) as AsyncRouteComponent<Props>;
}
