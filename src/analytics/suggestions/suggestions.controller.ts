import { Controller, Param, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { OpenToApiKeys } from '../../common/auth/api-key-policies';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { Authenticated, CurrentUser } from '../../common/auth/policies';
import { ResourceNotFound } from '../../common/http/domain-error';
import { ApiProblems } from '../../common/openapi/api-problems';
import { DismissedResponse } from './suggestion.response';
import { SuggestionsService } from './suggestions.service';

@ApiTags('analytics')
@Authenticated()
@OpenToApiKeys()
@Controller('analytics/suggestions')
export class SuggestionsController {
  constructor(private readonly suggestions: SuggestionsService) {}

  /** It is not suggested again. */
  @Patch(':suggestionId/dismiss')
  @ApiOperation({ summary: 'Dismiss a cleanup suggestion' })
  @ApiProblems(new ResourceNotFound('suggestion'))
  async dismissSuggestion(
    @CurrentUser() user: AuthenticatedUser,
    @Param('suggestionId') suggestionId: string,
  ): Promise<DismissedResponse> {
    await this.suggestions.dismiss(user.id, suggestionId);
    return { ok: true };
  }
}
