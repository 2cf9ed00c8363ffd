import { ApiExtension } from '@nestjs/swagger';

/**
 * Says why no page of the web client uses a route; the document shows it as `x-not-in-web-client`. What people can do
 * here, they can do in the web client, unless its route has this.
 */
export const NotInWebClient = (reason: string): MethodDecorator & ClassDecorator =>
  ApiExtension('x-not-in-web-client', reason);
