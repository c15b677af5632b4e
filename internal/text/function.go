package text

// says is how much a word says by itself.
type says uint8

const (
	saysMuch    says = iota
	saysLittle       // see Weak
	saysNothing      // see Stop
)

// The words of a language that say nothing, articles, pronouns, prepositions,
// conjunctions, auxiliaries, question words and thanks, and the verbs and adverbs that any
// question is framed with. Written down by hand, in lower case and without accents;
// one that is an English function word as well (in, so, was) stands in Stop.

func germanSays(word string) says {
	switch word {
	case "ab", "aber", "alle", "allem", "allen", "aller", "alles", "als", "also", "am", "andere", "anderen", "auch", "auf", "aus",
		"bei", "beim", "bin", "bis", "bist", "bzw", "da", "damit", "dann", "darf", "danke", "das", "dass", "dem", "den", "denn", "der",
		"des", "dich", "die", "diese", "diesem", "diesen", "dieser", "dieses", "dir", "doch", "dort", "du", "durch", "durfen",
		"ein", "eine", "einem", "einen", "einer", "eines", "er", "es", "etwa", "etwas", "euch", "fur", "gegen", "habe", "haben",
		"hast", "hat", "hatte", "hatten", "hier", "hinter", "ich", "ihm", "ihn", "ihr", "ihre", "ihrem", "ihren", "ihrer", "im",
		"ins", "ist", "ja", "je", "jede", "jedem", "jeden", "jeder", "jedes", "kann", "kein", "keine", "keinem", "keinen", "keiner",
		"konnen", "konnte", "mal", "man", "mehr", "mein", "meine", "meinem", "meinen", "meiner", "mich", "mir", "mit", "muss",
		"mussen", "nach", "neben", "nein", "nicht", "noch", "nun", "nur", "ob", "oder", "ohne", "pro", "schon", "sehr", "seid",
		"sein", "seine", "seinem", "seinen", "seiner", "seit", "sich", "sie", "sind", "so", "soll", "sollen", "sollte", "sowie",
		"uber", "um", "und", "uns", "unser", "unsere", "unserem", "unseren", "unserer", "unter", "viel", "viele", "vielen", "vom",
		"von", "vor", "wahrend", "wann", "war", "waren", "warum", "was", "wegen", "weil", "welche", "welchem", "welchen", "welcher",
		"welches", "wem", "wen", "wenn", "wer", "werden", "weshalb", "wessen", "wie", "wieso", "will", "wir", "wird", "wo",
		"wodurch", "wofur", "woher", "wohin", "wollen", "womit", "wonach", "woran", "worauf", "worden", "worin", "wozu", "wurde",
		"wurden", "zu", "zum", "zur", "zwischen":
		return saysNothing
	case "anders", "benutze", "benutzen", "benutzt", "bitte", "brauche", "brauchen", "braucht", "ding", "frage", "funktioniert",
		"geben", "gehen", "geht", "gemacht", "genau", "gerade", "gibt", "heisst", "heute", "immer", "jetzt", "kannst", "kommen",
		"kommt", "lange", "lassen", "lasst", "liegen", "liegt", "machen", "macht", "neu", "neue", "neuen", "nie", "nutzen", "nutzt",
		"oft", "passiert", "sache", "sag", "stehen", "steht", "verwenden", "verwendet", "weiss", "weisst", "wichtig", "wissen",
		"zeig", "zeige":
		return saysLittle
	}
	return saysMuch
}

func frenchSays(word string) says {
	switch word {
	case "afin", "ai", "alors", "apres", "au", "aussi", "autre", "autres", "aux", "avaient", "avait", "avant", "avec", "avez",
		"avoir", "avons", "ca", "car", "ce", "cela", "celle", "celles", "celui", "ces", "cet", "cette", "ceux", "chaque", "chez",
		"combien", "comme", "comment", "contre", "dans", "de", "deja", "depuis", "des", "doit", "doivent", "donc", "dont", "du",
		"elle", "elles", "en", "encore", "entre", "est", "et", "etaient", "etait", "ete", "etes", "etre", "eu", "faire", "fait",
		"faut", "hors", "il", "ils", "jamais", "je", "jusque", "la", "le", "les", "leur", "leurs", "lors", "lorsque", "lui", "ma",
		"mais", "me", "meme", "memes", "merci", "mes", "moins", "mon", "ne", "ni", "nos", "notre", "nous", "on", "ont", "ou", "par", "pas",
		"pendant", "peu", "peut", "peuvent", "plus", "plusieurs", "pour", "pourquoi", "puis", "quand", "que", "quel", "quelle",
		"quelles", "quelque", "quelques", "quels", "qui", "quoi", "rien", "sa", "sans", "se", "selon", "sera", "serait", "seront",
		"ses", "si", "sommes", "son", "sont", "sous", "suis", "sur", "ta", "te", "tes", "ton", "toujours", "tous", "tout", "toute",
		"toutes", "tres", "trop", "tu", "un", "une", "vers", "vos", "votre", "vous":
		return saysNothing
	case "bien", "chose", "choses", "deviennent", "devient", "dire", "dit", "dites", "dois", "existe", "faisons", "fois", "font",
		"maintenant", "met", "mettre", "nouveau", "nouvelle", "passe", "passer", "peux", "sait", "savoir", "sert", "servir",
		"souvent", "trouve", "trouver", "utilise", "utilisent", "utiliser", "utilisons", "veut", "veux":
		return saysLittle
	}
	return saysMuch
}

func spanishSays(word string) says {
	switch word {
	case "adonde", "al", "algun", "alguna", "algunas", "alguno", "algunos", "ante", "aquel", "aquella", "asi", "aun", "bajo", "cada",
		"como", "con", "contra", "cual", "cuales", "cuando", "cuanta", "cuantas", "cuanto", "cuantos", "cuya", "cuyo", "de", "debe",
		"deben", "del", "desde", "donde", "durante", "e", "el", "ella", "ellas", "ello", "ellos", "en", "entonces", "entre", "era",
		"eran", "es", "esa", "esas", "ese", "eso", "esos", "esta", "estaba", "estaban", "estado", "estan", "estar", "estas", "este",
		"esto", "estos", "fue", "fuera", "fueron", "haber", "habia", "hacia", "han", "hasta", "hay", "hemos", "la", "las", "le",
		"les", "lo", "los", "luego", "mas", "menos", "mi", "mis", "misma", "mismo", "muy", "nada", "ni", "ningun", "ninguna", "nos",
		"nosotras", "nosotros", "nuestra", "nuestras", "nuestro", "nuestros", "o", "os", "otra", "otras", "otro", "otros", "para",
		"pero", "por", "porque", "puede", "pueden", "pues", "que", "quien", "quienes", "se", "segun", "ser", "si", "sido", "siendo",
		"sin", "sino", "sobre", "solo", "son", "su", "sus", "tambien", "tampoco", "tan", "tanto", "te", "tenemos", "tiene",
		"tienen", "toda", "todas", "todavia", "todo", "todos", "tras", "tu", "u", "un", "una", "unas", "unos", "usted", "ustedes",
		"vosotros", "y", "ya", "yo", "gracias":
		return saysNothing
	case "ahora", "bien", "cosa", "cosas", "decir", "dice", "hace", "hacemos", "hacen", "hacer", "ir", "necesita", "necesitamos",
		"necesitan", "necesito", "nueva", "nuevo", "nunca", "pasa", "pasar", "poner", "puedo", "quiere", "quiero", "sabe", "saber",
		"siempre", "usa", "usamos", "usar", "uso", "va", "van":
		return saysLittle
	}
	return saysMuch
}

func portugueseSays(word string) says {
	switch word {
	case "a", "ainda", "algum", "alguma", "algumas", "alguns", "ao", "aos", "apos", "aquela", "aquele", "aquilo", "as", "assim",
		"ate", "cada", "com", "como", "contra", "cuja", "cujo", "da", "das", "de", "desde", "dessa", "desse", "desta", "deste",
		"deve", "devem", "disso", "disto", "dos", "dum", "duma", "durante", "e", "ela", "elas", "ele", "eles", "em", "entao",
		"entre", "era", "eram", "essa", "essas", "esse", "esses", "esta", "estao", "estar", "estas", "estava", "estavam", "este",
		"estes", "eu", "foi", "fora", "foram", "ha", "isso", "isto", "ja", "lhe", "lhes", "mais", "mas", "menos", "mesma", "mesmo",
		"meu", "meus", "minha", "minhas", "muita", "muito", "na", "nada", "nao", "nas", "nem", "nenhum", "nenhuma", "nessa",
		"nesse", "nesta", "neste", "nos", "nossa", "nossas", "nosso", "nossos", "num", "numa", "o", "onde", "os", "ou", "outra",
		"outras", "outro", "outros", "para", "pela", "pelas", "pelo", "pelos", "pode", "podem", "pois", "por", "porque", "pra",
		"quais", "qual", "quando", "quanta", "quantas", "quanto", "quantos", "que", "quem", "sao", "se", "sem", "sendo", "ser",
		"seu", "seus", "sido", "sim", "so", "sob", "sobre", "sua", "suas", "tambem", "tanto", "tao", "te", "tem", "temos", "ter",
		"tinha", "toda", "todas", "todo", "todos", "tu", "um", "uma", "umas", "uns", "voce", "voces", "obrigada", "obrigado":
		return saysNothing
	case "acontece", "agora", "bem", "coisa", "coisas", "devo", "diz", "dizer", "faz", "fazem", "fazer", "fica", "ficam", "ir",
		"nova", "novo", "nunca", "posso", "precisa", "precisam", "precisamos", "preciso", "quer", "quero", "sabe", "saber",
		"sempre", "usa", "usamos", "usar", "uso", "vai", "vao":
		return saysLittle
	}
	return saysMuch
}

func italianSays(word string) says {
	switch word {
	case "abbiamo", "agli", "ai", "al", "alcune", "alcuni", "alla", "alle", "allo", "allora", "altra", "altre", "altri", "altro",
		"anche", "ancora", "avere", "avete", "aveva", "che", "chi", "ci", "cio", "col", "come", "con", "contro", "cosi", "cui",
		"da", "dagli", "dai", "dal", "dalla", "dalle", "dallo", "degli", "dei", "del", "della", "delle", "dello", "deve", "devono",
		"di", "dopo", "dove", "durante", "e", "ed", "era", "erano", "essere", "fra", "fu", "furono", "gia", "gli", "ha", "hai",
		"hanno", "ho", "il", "in", "io", "la", "le", "lei", "lo", "loro", "lui", "ma", "meno", "mi", "mia", "mie", "miei", "mio",
		"molta", "molto", "ne", "negli", "nei", "nel", "nella", "nelle", "nello", "nessun", "nessuna", "nessuno", "niente", "noi",
		"non", "nostra", "nostre", "nostri", "nostro", "o", "od", "ogni", "per", "perche", "piu", "poi", "possono", "prima", "puo",
		"quale", "quali", "quando", "quanta", "quante", "quanti", "quanto", "quella", "quelle", "quelli", "quello", "questa",
		"queste", "questi", "questo", "quindi", "se", "senza", "si", "solo", "sono", "sopra", "sotto", "stata", "state", "stati",
		"stato", "stessa", "stesso", "su", "sua", "sue", "sugli", "sui", "sul", "sulla", "sulle", "sullo", "suo", "suoi", "tanto",
		"te", "ti", "tra", "tu", "tua", "tuo", "tutta", "tutte", "tutti", "tutto", "un", "una", "uno", "verso", "vi", "voi", "grazie":
		return saysNothing
	case "adesso", "andare", "bene", "cosa", "cose", "devo", "dice", "dire", "fa", "facciamo", "fanno", "fare", "mai", "nuova",
		"nuovo", "ora", "posso", "sa", "sapere", "sempre", "serve", "servono", "succede", "usa", "usare", "usiamo", "uso", "va",
		"vanno", "voglio", "vuole":
		return saysLittle
	}
	return saysMuch
}

func dutchSays(word string) says {
	switch word {
	case "aan", "al", "alle", "alleen", "alles", "als", "ander", "andere", "bij", "daar", "dan", "dat", "de", "deze", "die", "dit",
		"door", "dus", "een", "elk", "elke", "en", "er", "geen", "geworden", "haar", "had", "hadden", "hebben", "heeft", "hem",
		"het", "hier", "hij", "hoe", "hoeveel", "hun", "iets", "ik", "is", "je", "jij", "jou", "jouw", "jullie", "kan", "kon",
		"kunnen", "maar", "mag", "meer", "met", "mij", "mijn", "minder", "moet", "moeten", "mogen", "na", "naar", "niet", "niets",
		"nog", "nu", "of", "om", "omdat", "onder", "ons", "onze", "ook", "op", "over", "sinds", "te", "tegen", "tijdens", "toen",
		"tot", "tussen", "u", "uit", "van", "veel", "voor", "waar", "waarin", "waarmee", "waarom", "waarop", "wanneer", "want",
		"waren", "was", "wat", "we", "wel", "welke", "werd", "werden", "wie", "wij", "wil", "willen", "worden", "wordt", "zal",
		"ze", "zeer", "zelf", "zich", "zij", "zijn", "zodat", "zonder", "zou", "zullen", "bedankt", "dank":
		return saysNothing
	case "altijd", "doen", "doet", "gaan", "gaat", "gebeurt", "gebruik", "gebruiken", "gebruikt", "gedaan", "goed", "graag", "komt",
		"lang", "ligt", "maakt", "maken", "nieuw", "nieuwe", "nodig", "nooit", "staat", "vaak", "weet", "weten", "zeggen":
		return saysLittle
	}
	return saysMuch
}

func russianSays(word string) says {
	switch word {
	case "а", "без", "более", "больше", "будет", "будто", "бы", "был", "была", "были", "было", "быть", "в", "вам", "вами", "вас",
		"ведь", "во", "вот", "все", "всегда", "всего", "всех", "всю", "вы", "где", "да", "даже", "для", "до", "другой", "его", "ее",
		"ей", "ему", "если", "есть", "еще", "ж", "же", "за", "зачем", "здесь", "и", "из", "или", "им", "иногда", "их", "к", "как",
		"какая", "какие", "каким", "каких", "какого", "какое", "какой", "каком", "какую", "когда", "конечно", "которая", "которое",
		"которой", "которые", "который", "которых", "кто", "куда", "ли", "между", "меня", "мне", "много", "может", "можно", "мой",
		"моя", "мы", "на", "над", "надо", "наконец", "нами", "нас", "наш", "наша", "наше", "нашей", "нашем", "наши", "нашу", "не",
		"него", "нее", "ней", "нельзя", "нет", "ни", "нибудь", "ним", "них", "ничего", "но", "ну", "о", "об", "один", "он", "она",
		"они", "опять", "от", "перед", "по", "под", "после", "потом", "потому", "почему", "почти", "при", "про", "раз", "разве",
		"с", "сам", "свои", "свой", "свою", "своя", "себе", "себя", "скольких", "сколько", "со", "так", "также", "такой", "там",
		"тебя", "тем", "теперь", "то", "тогда", "того", "тоже", "только", "том", "тот", "тут", "ты", "у", "уж", "уже", "хоть",
		"чего", "чем", "через", "что", "чтоб", "чтобы", "чуть", "эта", "эти", "это", "этого", "этой", "этом", "этот", "эту", "я", "спасибо":
		return saysNothing
	case "делаем", "делает", "делать", "должен", "должна", "должно", "должны", "знает", "знать", "использовать", "используем",
		"использует", "используется", "используют", "находится", "никогда", "новая", "новые", "новый", "нужен", "нужна", "нужно",
		"нужны", "происходит", "сейчас", "скажи", "стоит", "хочу", "часто":
		return saysLittle
	}
	return saysMuch
}

func swedishSays(word string) says {
	switch word {
	case "aldrig", "alla", "allt", "an", "andra", "annan", "annat", "annu", "ar", "att", "av", "bara", "blev", "bli", "blir", "da",
		"dar", "darfor", "de", "dem", "den", "denna", "deras", "dess", "dessa", "det", "detta", "dig", "din", "dina", "ditt", "du",
		"efter", "eftersom", "eller", "en", "er", "era", "ert", "ett", "far", "fick", "for", "fore", "fran", "genom", "ha", "hade",
		"han", "hans", "har", "henne", "hennes", "hon", "honom", "hos", "hur", "i", "in", "inga", "ingen", "inget", "innan", "inte",
		"jag", "ju", "kan", "kring", "kunde", "man", "manga", "maste", "med", "medan", "mellan", "men", "mer", "mest", "mig", "min",
		"mina", "mindre", "mitt", "mot", "mycket", "nagon", "nagot", "nagra", "nar", "ner", "ni", "nog", "nu", "och", "ocksa", "om",
		"oss", "over", "pa", "redan", "sa", "samma", "sedan", "sig", "sin", "sina", "sitt", "sjalv", "ska", "skall", "skulle",
		"som", "till", "under", "upp", "ut", "utan", "vad", "val", "var", "vara", "varfor", "varifran", "varje", "vart", "vem",
		"vi", "vid", "vilka", "vilken", "vilket", "vill", "ville", "tack":
		return saysNothing
	case "alltid", "anvanda", "anvander", "anvands", "behover", "behovs", "finns", "ga", "gar", "gjort", "gor", "gora", "handa",
		"hander", "komma", "kommer", "lange", "ligger", "ny", "nya", "nytt", "ofta", "saga", "sager", "star", "vet", "veta", "visa":
		return saysLittle
	}
	return saysMuch
}

func turkishSays(word string) says {
	switch word {
	case "dan", "den", "tan", "ten", "nin", "nun", "un", "ye", "yi", "yu", // what stands behind an apostrophe
		"altinda", "ama", "arasinda", "artik", "ayni", "az", "bana", "baska", "bazi", "ben", "bende", "beni", "benim", "bir", "biz",
		"bize", "bizi", "bizim", "boyle", "bu", "burada", "butun", "cok", "cunku", "da", "daha", "de", "degil", "diger", "dogru",
		"eder", "edilir", "ediyor", "eger", "en", "etmek", "fakat", "gibi", "gore", "hala", "hangi", "hangisi", "henuz", "hep",
		"her", "hic", "icin", "icinde", "ile", "ise", "kac", "kadar", "karsi", "kendi", "ki", "kim", "kimin", "mi", "mu", "nasil",
		"ne", "neden", "neye", "neyi", "nerede", "nereden", "nereye", "nicin", "niye", "o", "olan", "olarak", "oldu", "olmak", "olmali", "olsun",
		"olur", "ona", "once", "onlar", "onlarin", "onu", "onun", "orada", "oyle", "sana", "sen", "seni", "senin", "sey", "simdi",
		"siz", "size", "sizi", "sizin", "sonra", "soyle", "su", "tarafindan", "tum", "uzere", "uzerinde", "var", "ve", "veya", "ya",
		"yani", "yapilir", "yok", "zaten", "tesekkurler", "tesekkur":
		return saysNothing
	case "asla", "biliyor", "bilmek", "bugun", "gerek", "gerekir", "gerekiyor", "goster", "kullanilir", "kullaniyor", "kullaniyoruz",
		"kullanmak", "lazim", "aldik", "ettik", "verdik", "yaptik", "yapar", "yapiliyor", "yapiyor", "yapiyoruz", "yapmak", "yeni", "zaman":
		return saysLittle
	}
	return saysMuch
}

func polishSays(word string) says {
	switch word {
	case "a", "aby", "albo", "ale", "bardzo", "beda", "bedzie", "bez", "bo", "byc", "byl", "byla", "bylo", "byly", "ciebie", "co",
		"czego", "czemu", "czy", "czym", "dla", "dlaczego", "do", "dokad", "gdy", "gdzie", "i", "ich", "ile", "im", "inne",
		"innego", "inny", "ja", "jak", "jaka", "jaki", "jakich", "jakie", "jakiej", "jakim", "jednak", "jego", "jej", "jesli",
		"jest", "jestem", "jeszcze", "jezeli", "juz", "kazda", "kazde", "kazdy", "kiedy", "kim", "kogo", "komu", "kto", "ktora",
		"ktore", "ktorego", "ktorej", "ktory", "ktorych", "ktorym", "lub", "mi", "miedzy", "mnie", "mniej", "moj", "moja", "moje",
		"moze", "mozna", "musi", "musza", "my", "na", "nad", "nam", "nas", "nasz", "nasza", "nasze", "naszego", "naszej", "nich",
		"nie", "niech", "niej", "nigdy", "nim", "niz", "o", "od", "on", "ona", "one", "oni", "ono", "oraz", "po", "pod", "poniewaz",
		"potem", "przed", "przez", "przy", "sa", "sam", "sie", "siebie", "skad", "sobie", "swoj", "swoja", "swoje", "ta", "tak",
		"taka", "taki", "takie", "takze", "tam", "te", "tego", "tej", "temu", "ten", "teraz", "tez", "to", "trzeba", "tu", "tutaj",
		"ty", "tych", "tylko", "tym", "u", "w", "wam", "was", "we", "wiec", "wiecej", "wszystkich", "wszystkie", "wszystko", "wy",
		"z", "za", "zawsze", "ze", "zeby", "dzieki", "dziekuje":
		return saysNothing
	case "chce", "czesto", "dlatego", "dodac", "dodaj", "dziala", "dzialac", "dzieje", "ma", "maja", "mam", "mamy", "masz", "nowa",
		"nowe", "nowy", "pokaz", "potrzebuje", "powiedz", "robi", "robic", "robimy", "uzyc", "uzywa", "uzywac", "uzywamy",
		"wiedziec", "wiem", "zmien", "zrobic":
		return saysLittle
	}
	return saysMuch
}
