import { EventHandlerProvider, EventHandlersInvalid, orderHandlers } from './event-dispatcher';

const provider = (name: string): EventHandlerProvider => ({ name, instance: { handle: async () => {} } });

describe('orderHandlers', () => {
  it('should order handlers by name, whatever the order of modules', () => {
    const [first, second] = [provider('NotificationHandler'), provider('WebhookEventHandler')];
    expect(orderHandlers([second, first])).toEqual([first.instance, second.instance]);
  });

  it('should refuse a build without handlers', () => {
    expect(() => orderHandlers([])).toThrow(EventHandlersInvalid);
  });

  it('should name a handler that two modules provide', () => {
    const providers = [provider('ToastHandler'), provider('NotificationHandler'), provider('ToastHandler')];
    expect(() => orderHandlers(providers)).toThrow('ToastHandler is provided by several modules');
  });
});
