package demo

// The further demo users, by number. They organize and visit the events of
// the month.
const (
	greta = farid + 1 + iota
	hiro
	irini
	jamal
	katya
	li
	maya
	noam
	olga
	pablo
	qing
	rania
	sofia
	tariq
	uma
	viktor
	wiktoria
	xenia
	yusuf
	zoe
)

var monthPeople = []demoPerson{
	{"greta", "Greta Lindholm", "hiking"},
	{"hiro", "田中 宏", "games"},
	{"irini", "Ειρήνη Παππά", "dance"},
	{"jamal", "Jamal Brown", "music"},
	{"katya", "Катерина Білик", "books"},
	{"li_na", "李娜", "food"},
	{"maya", "Maya Fischer", "volunteering"},
	{"noam", "נועם לוי", "technology"},
	{"olga", "Ольга Ким", "cinema"},
	{"pablo", "Pablo Ortega", "cycling"},
	{"qing", "王清", "art"},
	{"rania", "رانيا خليل", "food"},
	{"sofia", "Σοφία Νικολάου", "theatre"},
	{"tariq", "طارق منصور", "technology"},
	{"uma", "Uma Krishnan", "wellness"},
	{"viktor", "Viktor Weiß", "crafts"},
	{"wiktoria", "Wiktoria Zając", "running"},
	{"xenia", "Ξένια Δήμου", "photography"},
	{"yusuf", "Yusuf Yıldız", "football"},
	{"zoe", "Zoë van Dijk", "swimming"},
}

// monthEvents fill the month after demoEvents, in the city and in towns around it.
var monthEvents = []demoEvent{
	{by: greta, days: 1, hour: 10, category: "hiking", title: "Round the Sacrow lake", city: "Potsdam", place: "Bus stop Schloss Sacrow",
		about: "Eleven kilometres through beech woods, with a stop for cake.", north: -9, east: -21, capacity: 16, guests: 9},
	{by: noam, days: 1, hour: 18, minute: 30, category: "technology", title: "Repair evening: bring what is broken",
		place: "Library Pankow, ground floor",
		about: "Toasters, lamps, radios. We open them together. Soldering irons are there.", north: 6.1, east: -0.6, capacity: 20, guests: 11},
	{by: irini, days: 2, hour: 19, category: "dance", title: "Ρεμπέτικα και χορός για αρχάριους", place: "Saal im Hinterhof, Weißensee",
		about: "Μαθαίνουμε βήμα βήμα. Δεν χρειάζεται ζευγάρι. Beginners very welcome.", north: 5.9, east: 4.3, capacity: 24, guests: 13},
	{by: pablo, days: 2, hour: 9, category: "cycling", title: "Ruta en bici hasta Bernau", city: "Bernau", place: "S-Bahn Blankenburg",
		about: "Treinta kilómetros tranquilos, con parada para desayunar.", north: 18, east: 12, guests: 7},
	{by: rania, days: 3, hour: 12, category: "food", title: "طبخ سوري معاً: Cooking Syrian lunch together",
		place: "Nachbarschaftshaus Wedding",
		about: "نطبخ الكبة والفتوش ونأكل معاً. We cook, then we eat at one long table.", north: 5.4, east: -3.9, capacity: 10, guests: 10,
		price: 900},
	{by: katya, days: 4, hour: 19, category: "books", title: "Книжковий клуб: українська проза", place: "Café Krone, Prenzlauer Berg",
		about: "Читаємо повільно й говоримо чесно. Нові обличчя завжди вітаємо.", north: 2.6, east: 1.2, capacity: 14, guests: 8},
	{by: jamal, days: 4, hour: 21, category: "music", title: "Open stage: three songs each", place: "Cellar bar in Neukölln",
		about: "Bring an instrument or a poem. The piano is in tune, mostly.", north: -4.2, east: 2.6, capacity: 60, guests: 17,
		posts: []demoPost{{body: "Sign up at the door from half past eight. Ten slots.", announcement: true, likes: []int{zoe, pablo, farid},
			reposts: []int{zoe, maya},
			comments: []demoComment{{by: zoe, body: "I will bring the ukulele. Sorry in advance."},
				{by: jamal, body: "Looking forward to it!", reply: true}}}}},
	{by: maya, days: 5, hour: 10, category: "volunteering", title: "Kiezputz am Landwehrkanal", place: "Admiralbrücke",
		about: "Zwei Stunden, Handschuhe und Zangen sind da. Danach gibt es Waffeln.", north: -2.7, east: 0.8, guests: 12,
		posts: []demoPost{{body: "Beim letzten Mal waren es 41 Säcke. Schaffen wir 50?", likes: []int{greta, uma, ben, wiktoria},
			reposts: []int{greta}}}},
	{by: hiro, days: 5, hour: 18, category: "games", title: "囲碁の夕べ Go for beginners", place: "Teehaus Mitte",
		about: "碁盤を囲んでお茶を飲みましょう。We teach the rules in ten minutes.", north: 0.4, east: 0.2, capacity: 18, guests: 9},
	{by: uma, days: 6, hour: 8, category: "wellness", title: "Quiet yoga before work", place: "Studio at the courtyard, Kreuzberg",
		about: "Forty-five minutes. Mats are there; nobody talks before nine.", north: -2.2, east: 1.6, capacity: 12, guests: 12, price: 700},
	{by: wiktoria, days: 6, hour: 18, category: "running", title: "Bieg dookoła Tempelhofer Feld",
		place: "Tempelhofer Feld, entrance Oderstraße",
		about: "Sześć kilometrów po dawnym pasie startowym. Tempo do rozmowy.", north: -4.9, east: 1.9, guests: 6},
	{by: noam, days: 7, hour: 19, category: "technology", title: "Small programs night", place: "Hackspace in the old factory",
		about: "Five-minute talks about programs that fit on one page.", north: 1.9, east: 4.4, capacity: 35, guests: 15,
		posts: []demoPost{{body: "We still look for two talks. The smaller the program, the better.", likes: []int{tariq, viktor},
			reposts:  []int{tariq},
			comments: []demoComment{{by: tariq, body: "A sundial in 40 lines?"}, {by: noam, body: "Perfect.", reply: true}}}}},
	{by: sofia, days: 7, hour: 20, category: "theatre", title: "Αυτοσχεδιασμός: improvisation evening", place: "Small stage, Moabit",
		about: "Χωρίς σενάριο. Ελάτε να δείτε ή να παίξετε.", north: 1.1, east: -4.2, capacity: 40, guests: 11, price: 500},
	{by: li, days: 8, hour: 17, category: "food", title: "一起包饺子 Dumplings together", place: "Shared kitchen, Friedrichshain",
		about: "自己动手，吃到饱。Vegetarian filling too. Please bring an apron.", north: -0.9, east: 3.4, capacity: 14, guests: 14, price: 800,
		posts: []demoPost{{body: "我们已经买好了面粉和白菜。We have flour and cabbage; bring your favourite sauce.", likes: []int{qing, hiro, ben},
			reposts: []int{qing}}}},
	{by: olga, days: 8, hour: 20, category: "cinema", title: "Кино под открытым небом", place: "Innenhof, Schöneweide",
		about: "Старая комедия на белой стене. Пледы есть, какао горячее.", north: -7.2, east: 8.1, capacity: 80, guests: 16},
	{by: greta, days: 9, hour: 9, category: "hiking", title: "Through the Briesetal to Birkenwerder", city: "Oranienburg",
		place: "S-Bahn Borgsdorf",
		about: "Fourteen kilometres along the stream. Sturdy shoes, please.", north: 22, east: -8, guests: 8},
	{by: viktor, days: 9, hour: 14, category: "crafts", title: "Löffel schnitzen", place: "Offene Werkstatt, Kreuzberg",
		about: "Aus einem Ast wird ein Löffel. Messer und Pflaster sind da.", north: -2.0, east: 2.7, capacity: 9, guests: 9, price: 1200},
	{by: yusuf, days: 9, hour: 16, category: "football", title: "Halı saha: five-a-side football", place: "Sports ground, Wedding",
		about: "İki takım, iki saat. Her seviyeden oyuncu gelebilir.", north: 3.8, east: -3.2, capacity: 14, guests: 10},
	{by: qing, days: 10, hour: 15, category: "art", title: "水墨画入门 Ink painting for beginners", place: "Atelier Auguststraße",
		about: "一支笔，一张纸，一下午。Brushes and paper are provided.", north: 0.8, east: -0.5, capacity: 8, guests: 6, price: 1500},
	{by: tariq, days: 10, hour: 19, category: "technology", title: "لقاء مبرمجي برلين العرب", place: "Co-working, Moritzplatz",
		about: "نتحدث عن العمل والبرمجيات الحرة. Everyone who codes is welcome.", north: -1.9, east: 0.7, capacity: 30, guests: 9},
	{by: zoe, days: 11, hour: 7, category: "swimming", title: "Cold swim at Plötzensee", place: "Main entrance, Plötzensee",
		about: "In for two minutes, out for tea. Never alone.", north: 3.1, east: -5.8, guests: 7},
	{by: xenia, days: 11, hour: 16, category: "photography", title: "Φως του απογεύματος: golden hour walk",
		place: "Oberbaumbrücke, north side",
		about: "Περπατάμε κατά μήκος του ποταμού με μία μόνο εστίαση.", north: -1.7, east: 3.0, capacity: 12, guests: 8,
		posts: []demoPost{{body: "One lens, no zoom. Phones are fine.", likes: []int{emi, chloe}, reposts: []int{emi}}}},
	{by: ben, days: 12, hour: 10, category: "running", title: "Ten kilometres, negative split",
		place: "Volkspark Friedrichshain, fairy-tale fountain",
		about: "Start slowly, finish faster. We wait at every corner.", north: 0.9, east: 2.1, guests: 9},
	{by: chloe, days: 12, hour: 18, category: "languages", title: "Café franco-allemand", place: "Café am Savignyplatz",
		about: "Moitié français, halb Deutsch. On change toutes les vingt minutes.", north: -1.6, east: -5.7, capacity: 20, guests: 11},
	{by: farid, days: 13, hour: 19, category: "music", title: "Maqam workshop – مقامات للمبتدئين", place: "Music school, Kreuzberg",
		about: "نستمع ونغني معاً. No notes, only ears.", north: -2.5, east: 0.3, capacity: 15, guests: 7},
	{by: maya, days: 14, hour: 11, category: "volunteering", title: "Plant bulbs for the spring",
		place: "Community garden Prinzessinnengärten",
		about: "Four hundred tulips want to be under the ground before the frost.", north: -4.6, east: 2.2, guests: 13},
	{by: dmitri, days: 14, hour: 17, category: "games", title: "Шахматный блиц в кафе", place: "Кафе «Ладья», Charlottenburg",
		about: "Пять минут на партию. Доски есть, часы тоже.", north: -0.8, east: -6.6, capacity: 24, guests: 10},
	{by: pablo, days: 15, hour: 10, category: "cycling", title: "Mauerweg, the southern half", place: "S-Bahn Schönefeld",
		about: "Seventy kilometres, one puncture kit each. We finish before dark.", north: -14, east: 7, guests: 8},
	{by: emi, days: 15, hour: 15, category: "crafts", title: "金継ぎ教室 Mending with gold", place: "Atelier in Schöneberg",
		about: "割れた器を直します。Bring one broken cup.", north: -4.4, east: -3.1, capacity: 6, guests: 6, price: 2500},
	{by: katya, days: 16, hour: 19, category: "languages", title: "Розмовний вечір: Ukrainisch für Anfänger",
		place: "Volkshochschule Mitte, Raum 3",
		about: "Перші сто слів, багато сміху.", north: 0.6, east: -1.4, capacity: 18, guests: 9},
	{by: anna, days: 17, hour: 19, category: "games", title: "Games night: the long ones", place: "Café am Park, back room",
		about: "Four hours, one game. Vote for the evening that suits you.", north: 0.8, east: 0.9, capacity: 10, guests: 8, options: 3},
	{by: uma, days: 18, hour: 18, category: "wellness", title: "Listening circle", place: "Quiet room, Kreuzberg",
		about: "One speaks, the others listen. No advice.", north: -2.9, east: 1.4, capacity: 12, guests: 5},
	{by: irini, days: 18, hour: 20, category: "music", title: "Βραδιά με λαϊκά τραγούδια", place: "Taverna Eleni, Schöneberg",
		about: "Τραγουδάμε όλοι μαζί. Το τσίπουρο το φέρνει η Ελένη.", north: -3.6, east: -3.8, capacity: 45, guests: 14},
	{by: greta, days: 19, hour: 10, category: "nature", title: "Winter birds at the Müggelsee", place: "Friedrichshagen, Bölschestraße end",
		about: "Binoculars to share. We look for smews and goosanders.", north: -7.9, east: 17.2, capacity: 12, guests: 7},
	{by: rania, days: 20, hour: 18, category: "food", title: "مائدة الجيران – The neighbours' table", place: "Nachbarschaftshaus Wedding",
		about: "كل واحد يحضر طبقاً. Everybody brings one dish and its story.", north: 3.4, east: -3.9, capacity: 40, guests: 16},
	{by: hiro, days: 20, hour: 13, category: "games", title: "将棋とお茶 Shogi and tea", place: "Japanese library, Tiergarten",
		about: "初心者も大歓迎。Sets with pictures for beginners.", north: -0.9, east: -3.4, capacity: 16, guests: 5},
	{by: viktor, days: 21, hour: 11, category: "crafts", title: "Fahrrad winterfest machen", place: "Selbsthilfewerkstatt, Friedrichshain",
		about: "Bremsen, Licht, Kette. Werkzeug und Tee sind da.", north: -0.3, east: 3.8, capacity: 10, guests: 8},
	{by: jamal, days: 21, hour: 20, category: "music", title: "Gospel choir, open rehearsal", place: "Church of the Cross, Wilmersdorf",
		about: "Two hours, four voices, no audition.", north: -4.1, east: -6.3, capacity: 70, guests: 17},
	{by: sofia, days: 22, hour: 19, category: "theatre", title: "Play reading: Antigone", place: "Bookshop on Winterfeldtplatz",
		about: "We read the whole play aloud; the parts are drawn by lot. Στα ελληνικά και στα αγγλικά.", north: -2.7, east: -3.3, capacity: 14,
		guests: 9, options: 2},
	{by: yusuf, days: 22, hour: 15, category: "football", title: "Yeni oyuncular aranıyor", place: "Sports ground, Wedding",
		about: "Pazar antrenmanı. Krampon şart değil.", north: 3.8, east: -3.2, guests: 6},
	{by: olga, days: 23, hour: 18, category: "cinema", title: "Silent films, live piano", place: "Kino in the courtyard, Mitte",
		about: "Two short films, one old piano, no words at all.", north: 0.7, east: -0.9, capacity: 50, guests: 15, price: 600},
	{by: li, days: 24, hour: 19, category: "food", title: "火锅之夜 Hot pot night", place: "Shared kitchen, Friedrichshain",
		about: "天冷了，一起吃火锅。Two pots: one mild, one not.", north: -0.9, east: 3.4, capacity: 12, guests: 12, price: 1000},
	{by: noam, days: 24, hour: 18, category: "languages", title: "עברית על קפה – Hebrew over coffee", place: "Café on Kollwitzplatz",
		about: "שיחה קלה לכל הרמות. Beginners get the easy chair.", north: 2.1, east: 0.9, capacity: 10, guests: 6},
	{by: zoe, days: 25, hour: 14, category: "swimming", title: "Sauna and ice", city: "Strausberg", place: "Lake beach, Strausberg",
		about: "A wood-fired sauna on the shore. Bring two towels.", north: 9, east: 33, capacity: 8, guests: 8, price: 1400},
	{by: wiktoria, days: 26, hour: 9, category: "running", title: "Bieg mikołajkowy", place: "Treptower Park, S-Bahn",
		about: "Biegniemy w czerwonych czapkach. Pięć kilometrów i pierniki.", north: -3.9, east: 4.2, guests: 11},
	{by: qing, days: 27, hour: 16, category: "art", title: "Museum slowly: one painting, one hour", place: "Gemäldegalerie, foyer",
		about: "We look at one picture until it begins to speak. 慢慢看。", north: -1.3, east: -2.7, capacity: 10, guests: 7},
	{by: anna, days: 28, hour: 18, category: "volunteering", title: "Soup for the cold nights", place: "Station mission, Zoo",
		about: "Cutting, cooking, handing out. Two shifts, take one.", north: -1.4, east: -5.2, capacity: 15, guests: 13},
	{by: ben, days: 30, hour: 23, category: "travel", title: "Night train to the sea", place: "Hauptbahnhof, platform 8",
		about: "We leave at midnight, have breakfast on the pier, and are home for dinner.", north: 0.6, east: -2.5, capacity: 9, guests: 6,
		price: 3900},
	{by: maya, days: -6, hour: 11, category: "volunteering", title: "Kleidertausch im Kiez", place: "Nachbarschaftshaus Wedding",
		about: "Bring five, take five.", north: 3.4, east: -3.9, guests: 15,
		reviews: []demoReview{{5, "So well organized. I came with a jacket and left with a better one."}, {5, "Wunderbar, gerne wieder!"},
			{4, "Crowded, but lovely people."}}},
	{by: jamal, days: -4, hour: 20, category: "music", title: "Jam session in the cellar", place: "Cellar bar in Neukölln",
		about: "Everybody plays with everybody.", north: -4.2, east: 2.6, guests: 16,
		reviews: []demoReview{{5, "The best evening of the month."}, {5, "أمسية رائعة"}, {5, ""}, {3, "Loud."}}},
}

// demoChats are messages of organizers and guests, by the title of the event.
var demoChats = map[string][]demoMessage{
	"Board games at the park café": {
		{ben, "Is there a tram at the park?"}, {anna, "Yes, the M8. Two minutes on foot."}, {dmitri, "Я буду в семь ровно"},
		{chloe, "See you there 🎲"},
	},
	"Morning run along the canal": {{anna, "What pace?"}, {ben, "Six and a half minutes, slower uphill."},
		{anna, "There is no uphill in Berlin."}, {ben, "Exactly."}},
	"Small programs night":         {{noam, "The projector is fixed."}, {noam, "And there is soup."}},
	"一起包饺子 Dumplings together":     {{li, "大家晚上好！"}, {li, "The kitchen is on the second floor, ring at “Küche”."}},
	"Open stage: three songs each": {{jamal, "Doors at eight, first song at nine."}},
	"أمسية عود – An evening of oud": {{farid, "أهلاً بكم"}, {anna, "Shall we bring cushions?"},
		{farid, "Yes please, as many as you can carry."}},
}
