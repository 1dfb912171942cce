import { nodeProperties } from '../shared/form/node';
import { MUSIC_CATALOG } from '../shared/spec/catalogs';

export { CREATING_HINT as BUILDER_HINT } from '../shared/form/words';
export { OUTPUTS, SUBTITLE, WAITING_TOOLTIP } from '../shared/form/words';

export const properties = () => nodeProperties(MUSIC_CATALOG);
