import { ActionIcon, Button, CopyButton, Group, Text } from '@mantine/core';
import { IconCheck, IconChevronDown, IconChevronUp, IconLink } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { indexAfter, type ReaderSteps, type Step } from './reader-steps';

interface ReaderToolsProps {
  readonly steps: ReaderSteps | undefined;
}

/** The tools above a mail: to the mails beside it, and the link to it, which is the address of the page. */
export function ReaderTools({ steps }: ReaderToolsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Group gap="xs">
      {steps && (
        <>
          <Group gap={4} wrap="nowrap">
            <StepButton steps={steps} step="previous" />
            <StepButton steps={steps} step="next" />
          </Group>
          {steps.isComplete && (
            <Text size="sm" c="dimmed">
              {t('mailFacts.position', { at: steps.index + 1, total: steps.count })}
            </Text>
          )}
        </>
      )}
      {/* Pages that are not served securely cannot write to the clipboard. */}
      {'clipboard' in navigator && (
        <CopyButton value={window.location.href}>
          {({ copied, copy }) => (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconLink size={14} aria-hidden />}
              onClick={copy}
            >
              {copied ? t('mailFacts.linkCopied') : t('mailFacts.copyLink')}
            </Button>
          )}
        </CopyButton>
      )}
    </Group>
  );
}

interface StepButtonProps {
  readonly steps: ReaderSteps;
  readonly step: Step;
}

function StepButton({ steps, step }: StepButtonProps): ReactNode {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const { of, taken, take } = steps;
  useEffect(() => {
    if (taken.current !== step) return;
    taken.current = null;
    button.current?.focus({ preventScroll: true });
  }, [taken, step]);
  const Icon = step === 'next' ? IconChevronDown : IconChevronUp;
  // At the end of the list the focus stays on it.
  const isEnd = indexAfter(steps, step) === null;
  const label = t(`mailFacts.steps.${of}.${step}`);
  return (
    <ActionIcon
      ref={button}
      variant="default"
      aria-label={label}
      title={label}
      aria-disabled={isEnd || undefined}
      data-disabled={isEnd || undefined}
      onClick={() => take(step)}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
