import type { OperationId } from '@mailroom/sdk';
import {
  useForm,
  type FormRulesRecord,
  type GetInputPropsReturnType,
  type UseFormReturnType,
} from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SyntheticEvent } from 'react';
import { invalidate } from '../api/query-client';
import { fieldErrors } from './field-errors';
import { useErrorsInLanguage } from './use-errors-in-language';

interface ServiceFormOptions<Values, Answer> {
  readonly initial: Values;
  /** Rules that the page checks before anything is sent. */
  readonly validate?: FormRulesRecord<Values>;
  /** Calls the operation, with what was filled in as its body. */
  readonly send: (values: Values) => Promise<Answer>;
  /** Fields of the request that the form calls otherwise; null where it does not show them. */
  readonly fields?: Readonly<Record<string, keyof Values | null>>;
  /** Operations whose answers are old once it is sent. */
  readonly outdated?: readonly OperationId[];
  /** Text of the toast once it is sent. */
  readonly success?: string;
  /** Called unless the form is gone by then. */
  readonly onSent?: (answer: Answer, values: Values) => void;
  readonly onRefused?: (refusal: Error) => void;
  readonly onValuesChange?: () => void;
}

/** Properties of an input, with the mistake that stands at it. */
export type InputProps = GetInputPropsReturnType;

export interface ServiceForm<Values, Answer = unknown> extends UseFormReturnType<Values> {
  /** Sends what was filled in, if nothing is wrong with it. */
  readonly submit: (event?: SyntheticEvent<HTMLFormElement>) => void;
  readonly isSending: boolean;
  /** The values that were sent last. */
  readonly sent: Values | undefined;
  /** The last answer of the service; undefined when there is none, or it was a refusal. */
  readonly answer: Answer | undefined;
  /** Why the service refused. */
  readonly error: Error | null;
  /** The same where no field of the form says it: it has to be said beside them. */
  readonly unsaid: Error | null;
  /** Forgets the last answer or refusal. */
  readonly forget: () => void;
}

/**
 * A form whose values go to the service. What a refusal says of a field stands at that field until the person changes it, in
 * the language that the page has.
 *
 * A form is what a person fills in and then submits to the service, also with a single field. Three things are none: a switch
 * that is saved as it is ticked, a question with a button (`Confirm`), and a field whose value never goes to an operation as
 * it is, such as a search or the passphrase that this tab remembers. `usePageForm` is for several fields that stay in the page.
 */
export function useServiceForm<Values extends Record<string, unknown>, Answer>({
  initial,
  validate,
  send,
  fields = {},
  outdated = [],
  success,
  onSent,
  onRefused,
  onValuesChange,
}: ServiceFormOptions<Values, Answer>): ServiceForm<Values, Answer> {
  const client = useQueryClient();
  const sending = useMutation({
    mutationFn: send,
    onSuccess: () => {
      void invalidate(client, outdated);
      if (success !== undefined) notifications.show({ message: success });
    },
  });
  const { variables: sent, error, isPending, mutate, reset } = sending;
  const fieldOf = (name: string): string | null => {
    const field = name in fields ? fields[name] : name;
    return typeof field === 'string' && field in initial ? field : null;
  };
  const refused = Object.entries(fieldErrors(error)).map(([name, text]) => [fieldOf(name), text] as const);
  const isAsSent = (field: string): boolean =>
    JSON.stringify(sent?.[field]) === JSON.stringify(form.getValues()[field]);
  const refusalOf = (field: string): string | undefined =>
    isAsSent(field) ? refused.find(([refusedField]) => refusedField === field)?.[1] : undefined;
  const form = useForm<Values>({
    initialValues: initial,
    ...(validate && { validate }),
    ...(onValuesChange && { onValuesChange }),
    enhanceGetInputProps: ({ field, inputProps }) => ({
      error: (inputProps.error as unknown) ?? refusalOf(String(field)),
    }),
  });
  useErrorsInLanguage(form);
  const isSaid = refused.length > 0 && refused.every(([field]) => field !== null);
  return {
    ...form,
    submit: form.onSubmit((values) => {
      if (!isPending) mutate(values, { onSuccess: (answer) => onSent?.(answer, values), onError: onRefused });
    }),
    isSending: isPending,
    sent,
    answer: sending.data,
    error,
    unsaid: isSaid ? null : error,
    forget: reset,
  };
}

/** A form whose values stay in the page, which puts them into its address: the conditions of a search. */
export function usePageForm<Values extends Record<string, unknown>>(
  initial: Values,
): UseFormReturnType<Values> {
  return useForm<Values>({ initialValues: initial });
}
