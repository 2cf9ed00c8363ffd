import { Injectable } from '@nestjs/common';
import { AccountNotOwned } from '../../platform/access/access.errors';
import { AuditDetails, AuditTrail } from '../../platform/access/audit-trail.port';
import { newId } from '../../platform/crypto/ids';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { LabelLookup } from '../../mailbox/labels/label-lookup';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { CreateRuleDto, toAction, toConditions, UpdateRuleDto } from './dto/rules.dto';
import { LabelledRule, needsLabels, requireActionLabel, RuleLabels } from './rule-labels';
import { buildRuleQuery } from './rule-query';
import { RULE_TEMPLATES } from './rule-templates';
import { MAX_RULES, RuleLimit } from './rules.errors';
import { NewRule, RuleChanges, RulesRepository, SavedRule } from './rules.repository';

/** Rules of a mailbox. They can be changed whether or not the mailbox can be reached. */
@Injectable()
export class RulesService {
  constructor(
    private readonly rules: RulesRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly labels: RuleLabels,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** Rules of a mailbox, newest first. */
  list(userId: string, accountId: string): Promise<SavedRule[]> {
    return this.rules.listOwned(userId, accountId);
  }

  /** @throws ArchiveWithoutMailbox, ValidationFailed, RuleLimit; MailboxDisconnected and the like when it names a label of the user */
  async create(userId: string, accountId: string, body: CreateRuleDto): Promise<SavedRule> {
    const rule: NewRule = {
      id: newId(),
      userId,
      mailboxAccountId: accountId,
      name: body.name,
      description: body.description ?? null,
      conditions: toConditions(body.conditions),
      action: toAction(body.action),
      schedule: body.schedule ?? null,
      isActive: body.is_active ?? true,
    };
    await this.accounts.requireMailbox(userId, accountId);
    await this.requireRunnable(userId, accountId, rule);
    return this.add(rule);
  }

  /** @throws ArchiveWithoutMailbox, ResourceNotFound when there is no such template, RuleLimit */
  async createFromTemplate(userId: string, accountId: string, templateId: string): Promise<SavedRule> {
    const template = RULE_TEMPLATES.find(({ id }) => id === templateId);
    await this.accounts.requireMailbox(userId, accountId);
    if (!template) throw new ResourceNotFound('rule template');
    const { name, conditions, action, schedule } = template.dto;
    return this.add({
      id: newId(),
      userId,
      mailboxAccountId: accountId,
      name,
      description: template.description,
      conditions: [...conditions],
      action,
      schedule,
      isActive: true,
    });
  }

  /**
   * Changes the fields that the body has. Conditions and action do not depend on each other, so that unchanged fields need no
   * check.
   * @throws ResourceNotFound, ValidationFailed; MailboxDisconnected and the like when it names a label of the user
   */
  async update(userId: string, accountId: string, id: string, body: UpdateRuleDto): Promise<SavedRule> {
    await this.get(userId, accountId, id);
    const changes: RuleChanges = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.description !== undefined && { description: body.description }),
      ...(body.conditions !== undefined && { conditions: toConditions(body.conditions) }),
      ...(body.action !== undefined && { action: toAction(body.action) }),
      ...(body.schedule !== undefined && { schedule: body.schedule }),
      ...(body.is_active !== undefined && { isActive: body.is_active }),
    };
    await this.requireRunnable(userId, accountId, changes);
    await this.transactions.run(async (transaction) => {
      const isKnown = await this.rules.update(userId, accountId, id, changes, transaction);
      if (!isKnown) throw new ResourceNotFound('rule');
      await this.record('rule.changed', { id, userId, accountId }, transaction, {
        changed: Object.keys(changes),
      });
    });
    return this.get(userId, accountId, id);
  }

  /** Activates or deactivates a rule. @throws ResourceNotFound */
  async toggle(userId: string, accountId: string, id: string): Promise<SavedRule> {
    await this.transactions.run(async (transaction) => {
      const toggled = await this.rules.toggle(userId, accountId, id, transaction);
      if (!toggled) throw new ResourceNotFound('rule');
      const action = toggled.isActive ? 'rule.switched-on' : 'rule.switched-off';
      await this.record(action, { id, userId, accountId }, transaction);
    });
    return this.get(userId, accountId, id);
  }

  /** @throws ResourceNotFound */
  async delete(userId: string, accountId: string, id: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const isKnown = await this.rules.delete(userId, accountId, id, transaction);
      if (!isKnown) throw new ResourceNotFound('rule');
      await this.record('rule.deleted', { id, userId, accountId }, transaction);
    });
  }

  private async get(userId: string, accountId: string, id: string): Promise<SavedRule> {
    const rule = await this.rules.findOwned(userId, accountId, id);
    if (!rule) throw new ResourceNotFound('rule');
    return rule;
  }

  private record(
    action: string,
    rule: { id: string; userId: string; accountId: string },
    transaction: Transaction,
    details?: AuditDetails,
  ): Promise<void> {
    const { id, userId, accountId } = rule;
    const target = { type: 'rule', id };
    return this.audit.record({ action, userId, accountId, target, details }, transaction);
  }

  private async add(rule: NewRule): Promise<SavedRule> {
    await this.transactions.run(async (transaction) => {
      const count = await this.rules.lockCount(rule.userId, rule.mailboxAccountId, transaction);
      if (count === undefined) throw new AccountNotOwned();
      if (count >= MAX_RULES) throw new RuleLimit();
      await this.rules.insert(rule, transaction);
      const { id, userId, mailboxAccountId: accountId, action, schedule } = rule;
      await this.record('rule.created', { id, userId, accountId }, transaction, {
        action: action.type,
        schedule,
      });
    });
    return this.get(rule.userId, rule.mailboxAccountId, rule.id);
  }

  /** Refuses a rule that cannot run; the provider is asked only when the rule names labels of the user. */
  private async requireRunnable(userId: string, accountId: string, rule: LabelledRule): Promise<void> {
    const { conditions, action } = rule;
    const labels = needsLabels(rule)
      ? await this.labels.findLabels(await this.accounts.requireUsable(userId, accountId), rule, {
          priority: 'interactive',
        })
      : LabelLookup.SYSTEM;
    if (conditions) buildRuleQuery(conditions, labels);
    if (action) requireActionLabel(action, labels);
  }
}
